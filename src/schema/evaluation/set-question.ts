import { storedExpectation } from '../../domain/evaluation/expectation.ts';
import type { SetQuestion as Question } from '../../domain/evaluation/question-rows.ts';
import { listSetQuestions } from '../../domain/evaluation/set-questions.ts';
import { builder } from '../builder.ts';
import { fieldsSchema } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';

export const expectedDescription =
  'Texts that the answer must contain. Each item lists alternatives, of which one is enough. They begin and end at words and numbers. White space, case and quotation marks are ignored.';

export const SetQuestion = builder.objectRef<Question>('SetQuestion').implement({
  description: 'A question about the documents, with what the answer must be.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    question: t.exposeString('question', {
      description: 'A run asks it at the start of a new conversation.',
    }),
    expected: t.field({
      type: t.listRef(t.listRef('String')),
      description: expectedDescription,
      resolve: (row) => storedExpectation(row).expected,
    }),
    documentId: t.exposeID('documentId', {
      nullable: true,
      description: 'The document that answers the question. It may have been deleted.',
    }),
    documentName: t.exposeString('documentName', {
      nullable: true,
      description: 'Name of the documents that answer the question, if there is no `documentId`.',
    }),
    mustRefuse: t.exposeBoolean('mustRefuse', {
      description:
        'Whether the documents do not answer the question, so that the assistant must say so.',
    }),
    tags: t.exposeStringList('tags', {
      description:
        'Labels that the caller has set, such as topics. They do not affect answers or figures.',
    }),
    language: t.exposeString('language', {
      nullable: true,
      description:
        'Language code that the caller has set, such as `de`. It does not affect answers or figures.',
    }),
    conversationId: t.exposeID('conversationId', {
      nullable: true,
      description:
        'The conversation that the question was taken from. It is erased with its end user.',
    }),
  }),
});

const SetQuestionPage = createPageType('SetQuestionPage', SetQuestion);

builder.queryFields((t) => ({
  setQuestionPage: t.field({
    type: SetQuestionPage,
    description: 'Questions of a set by page number, in their order. Needs `EVALUATION_READ`.',
    args: {
      id: t.arg.id({ required: true, description: 'The set whose questions are listed.' }),
      projectId: t.arg.id(expectedProject('set')),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listSetQuestions(context, args),
  }),
}));
