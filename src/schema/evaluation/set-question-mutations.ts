import { questionLimits } from '../../domain/evaluation/question-limits.ts';
import {
  addSetQuestions,
  deleteSetQuestion,
  replaceSetQuestions,
  updateSetQuestion,
} from '../../domain/evaluation/set-questions.ts';
import { builder } from '../builder.ts';
import { idInput } from '../id-input.ts';
import { fieldsSchema, nonBlankText } from '../input-rules.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { QuestionSet } from './question-set.ts';
import { SetQuestion } from './set-question.ts';
import {
  expectationFields,
  expectationSchemas,
  questionsSchema,
  SetQuestionInput,
} from './set-question-input.ts';

function questionsInput(name: 'ReplaceSetQuestionsInput' | 'AddSetQuestionsInput') {
  return builder.inputType(name, {
    validate: fieldsSchema({ questions: questionsSchema }),
    fields: (t) => ({
      id: t.id({ required: true }),
      projectId: t.id(expectedProject('set')),
      questions: t.field({
        type: [SetQuestionInput],
        required: true,
        description: 'Questions to store. A set has at most 10,000.',
      }),
    }),
  });
}

const ReplaceSetQuestionsInput = questionsInput('ReplaceSetQuestionsInput');
const AddSetQuestionsInput = questionsInput('AddSetQuestionsInput');

const UpdateSetQuestionInput = builder.inputType('UpdateSetQuestionInput', {
  description:
    'Changes to a question. Omitted fields stay unchanged. Null resets a field to its default, except `question`, which then stays unchanged.',
  validate: fieldsSchema({
    question: nonBlankText(questionLimits.question).nullish(),
    ...expectationSchemas,
  }),
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(expectedProject('question')),
    question: t.string({ description: '1 to 4,000 characters.' }),
    ...expectationFields(t),
  }),
});

const DeleteSetQuestionInput = idInput('DeleteSetQuestionInput', 'question');

builder.mutationFields((t) => ({
  replaceSetQuestions: t.field({
    type: QuestionSet,
    description:
      'Replaces all questions of a set, and raises its version. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: ReplaceSetQuestionsInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => replaceSetQuestions(context, input),
  }),
  addSetQuestions: t.field({
    type: QuestionSet,
    description: 'Adds questions to a set, and raises its version. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: AddSetQuestionsInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => addSetQuestions(context, input),
  }),
  updateSetQuestion: t.field({
    type: SetQuestion,
    description:
      'Changes one question of a set, and raises the version of the set. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: UpdateSetQuestionInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => updateSetQuestion(context, input),
  }),
  deleteSetQuestion: t.field({
    type: QuestionSet,
    description:
      'Deletes one question of a set, and raises the version of the set. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: DeleteSetQuestionInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => deleteSetQuestion(context, input),
  }),
}));
