import {
  type QuestionDecision as Decision,
  decideQuestion,
  mergeQuestions,
} from '../domain/insights/decide-question.ts';
import {
  listUnansweredQuestions,
  listUnansweredQuestionsByPage,
  type UnansweredQuestion as Question,
} from '../domain/insights/unanswered-questions.ts';
import { QuestionStatus as Statuses } from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { connectionFromArray } from './connection-from-array.ts';
import { fieldsSchema, optionalDateTime } from './input-rules.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from './page-type.ts';

const QuestionStatus = builder.enumType('QuestionStatus', {
  description: 'State of an unanswered question, and of all questions with the same meaning.',
  values: {
    [Statuses.OPEN]: { description: 'The documents do not answer the question yet.' },
    [Statuses.DONE]: {
      description:
        'The team marked it as done, or it was answered well later. It is open again when it is asked and not answered well.',
    },
    [Statuses.DISMISSED]: {
      description: 'The team dismissed it. It stays dismissed, however often it is asked.',
    },
  },
});

const UnansweredQuestion = builder.objectRef<Question>('UnansweredQuestion').implement({
  description:
    'Question of one or more end users whose answer had low confidence or was rated DOWN.',
  fields: (t) => ({
    questionId: t.exposeID('id', {
      description: 'A message with the question. It names the question in mutations.',
    }),
    question: t.exposeString('question', {
      description: 'Text of the question in its most frequent wording.',
    }),
    count: t.exposeInt('count', { description: 'Number of times that the question was asked.' }),
    previousCount: t.exposeInt('previousCount', {
      description: 'The count of the period before, which has the same length.',
    }),
    badFeedbackCount: t.exposeInt('badFeedbackCount', {
      description: 'Number of answers to the question that were rated DOWN.',
    }),
    lastAskedAt: t.expose('lastAskedAt', { type: 'DateTime' }),
    status: t.expose('status', { type: QuestionStatus }),
    documentId: t.exposeID('documentId', {
      nullable: true,
      description: 'The document that the team has written for the question.',
    }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description:
        'E-mail address of the operator who set the status. Null for an API key, and if nobody has set it.',
    }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the team set the status. Null if nobody has set it.',
    }),
    conversationIds: t.idList({
      description: 'The latest conversations with the question, at most five.',
      resolve: ({ conversationIds }) => [...conversationIds],
    }),
  }),
});

const UnansweredQuestionPage = createPageType('UnansweredQuestionPage', UnansweredQuestion);

const QuestionDecision = builder.objectRef<Decision>('QuestionDecision').implement({
  description: "The team's decision about an unanswered question.",
  fields: (t) => ({
    questionId: t.exposeID('questionId', {
      description: "The end user's message that represents the question.",
    }),
    status: t.expose('status', { type: QuestionStatus }),
    documentId: t.exposeID('documentId', {
      nullable: true,
      description: 'Document that answers the question. Null if the team has named none.',
    }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'E-mail address of the operator. Null for an API key.',
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime' }),
  }),
});

const DecideQuestionInput = builder.inputType('DecideQuestionInput', {
  fields: (t) => ({
    projectId: t.id({ required: true }),
    questionId: t.id({
      required: true,
      description: 'Id of an unanswered question, or of any message of an end user.',
    }),
    status: t.field({ type: QuestionStatus, required: true }),
    documentId: t.id({ description: 'The document of the project that answers the question.' }),
  }),
});

const MergeQuestionsInput = builder.inputType('MergeQuestionsInput', {
  description: 'Two unanswered questions with the same meaning.',
  fields: (t) => ({
    projectId: t.id({ required: true }),
    questionId: t.id({ required: true, description: 'The question that is merged.' }),
    intoId: t.id({
      required: true,
      description: 'The question into which it is merged. Its status applies to both.',
    }),
  }),
});

const statusArgument = 'Only questions with this status. Default: OPEN.';

const questionFilter = builder.args((t) => ({
  projectId: t.id({ required: true }),
  since: t.field({
    type: 'DateTime',
    description: 'Ignore questions asked before this time. Default: 30 days ago.',
  }),
  status: t.field({ type: QuestionStatus, description: statusArgument }),
}));

builder.queryFields((t) => ({
  unansweredQuestionPage: t.field({
    type: UnansweredQuestionPage,
    description: 'The same questions as `unansweredQuestions`, by page number.',
    args: { ...questionFilter, ...pageArguments },
    validate: fieldsSchema({ since: optionalDateTime, ...pageArgumentSchemas }),
    authScopes: { permission: 'conversations:read' },
    resolve: (_root, args, context) => listUnansweredQuestionsByPage(context, args),
  }),
  unansweredQuestions: t.connection({
    type: UnansweredQuestion,
    description:
      "Questions that a project's knowledge did not answer well, grouped by meaning, most frequent first. Covers the latest 500 questions.",
    args: questionFilter,
    validate: fieldsSchema({ since: optionalDateTime }),
    authScopes: { permission: 'conversations:read' },
    resolve: async (_root, args, context) =>
      connectionFromArray(
        args,
        await listUnansweredQuestions(context, args),
        (question, id) => question.id === id || question.messageIds.includes(id),
      ),
  }),
}));

builder.mutationFields((t) => ({
  decideQuestion: t.field({
    type: QuestionDecision,
    description:
      'Dismisses an unanswered question, marks it as done or opens it again. For agents. Applies to all questions with the same meaning, also to later ones.',
    args: { input: t.arg({ type: DecideQuestionInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, { input }, context) => decideQuestion(context, input),
  }),
  mergeQuestions: t.field({
    type: QuestionDecision,
    description:
      'Merges an unanswered question into another one, and returns the decision about both. For agents.',
    args: { input: t.arg({ type: MergeQuestionsInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, { input }, context) => mergeQuestions(context, input),
  }),
}));
