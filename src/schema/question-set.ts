import { z } from 'zod';
import { storedExpectation } from '../domain/evaluation/expectation.ts';
import {
  type QuestionImport as ImportShape,
  importSetQuestions,
} from '../domain/evaluation/import-set-questions.ts';
import {
  areExpectedTextsShort,
  expectedTextsTooLong,
  questionLimits as limits,
} from '../domain/evaluation/question-limits.ts';
import type { SetQuestion as Question } from '../domain/evaluation/question-rows.ts';
import {
  createQuestionSet,
  deleteQuestionSet,
  getQuestionSet,
  listQuestionSets,
  maxQuestions,
  type QuestionSet as SetShape,
  updateQuestionSet,
} from '../domain/evaluation/question-sets.ts';
import {
  addSetQuestions,
  deleteSetQuestion,
  listSetQuestions,
  replaceSetQuestions,
  updateSetQuestion,
} from '../domain/evaluation/set-questions.ts';
import {
  maxEveryHours,
  type SetSchedule as Schedule,
  scheduleOf,
} from '../domain/evaluation/set-schedule.ts';
import { isId } from '../platform/ids.ts';
import { builder } from './builder.ts';
import { FigureBounds, FigureBoundsInput, figureBoundsSchema } from './figure-bounds.ts';
import { fieldsSchema, integer, nonBlankText, optionalText } from './input-rules.ts';
import { Node } from './node.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from './page-type.ts';

const SetSchedule = builder.objectRef<Schedule>('SetSchedule').implement({
  description: 'When the questions of a set are asked, and what the figures must be.',
  fields: (t) => ({
    everyHours: t.exposeInt('everyHours', { description: 'Hours between two runs.' }),
    bounds: t.expose('bounds', { type: FigureBounds }),
    nextRunAt: t.expose('nextRunAt', { type: 'DateTime' }),
  }),
});

const QuestionSet = builder.objectRef<SetShape>('QuestionSet').implement({
  description: 'Questions about the documents of a project, with what their answers must be.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    name: t.exposeString('name'),
    version: t.exposeInt('version', {
      description: 'Counts up with each change of the questions, from 1.',
    }),
    questionCount: t.exposeInt('questionCount'),
    schedule: t.field({
      type: SetSchedule,
      nullable: true,
      description: 'Null: runs are started by hand only.',
      resolve: scheduleOf,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const expectedDescription =
  'Texts that the answer must contain. Each item lists alternatives, of which one is enough. They begin and end at words and numbers. White space, case and quotation marks are ignored.';

const SetQuestion = builder.objectRef<Question>('SetQuestion').implement({
  description: 'A question about the documents, with what the answer must be.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    question: t.exposeString('question'),
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
    tags: t.exposeStringList('tags'),
    language: t.exposeString('language', { nullable: true, description: 'Such as `de`.' }),
    conversationId: t.exposeID('conversationId', {
      nullable: true,
      description:
        'The conversation that the question was taken from. It is erased with its end user.',
    }),
  }),
});

const expectationSchemas = {
  expected: listOf(
    listOf(nonBlankText(limits.expectedText), limits.expectedTexts).min(1, 'must not be empty'),
    limits.expectedTexts,
  )
    .refine(areExpectedTextsShort, expectedTextsTooLong)
    .nullish(),
  documentId: z.string().refine(isId, 'must be a UUID').nullish(),
  documentName: optionalText(limits.documentName),
  tags: listOf(nonBlankText(limits.tag), limits.tags).nullish(),
  language: optionalText(limits.language),
};

const questionSchema = z.looseObject({
  question: nonBlankText(limits.question),
  ...expectationSchemas,
});

function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z.array(item).max(max, `must have at most ${max} entries`);
}

const questionsSchema = listOf(questionSchema, maxQuestions);

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

function expectationFields(t: InputFields) {
  return {
    expected: t.field({
      type: t.listRef(t.listRef('String')),
      description: `${expectedDescription} At most 20 items with 20 alternatives of 1,000 characters each, and 20,000 characters in total. Default: none.`,
    }),
    documentId: t.id({ description: 'The document that answers the question. Default: any.' }),
    documentName: t.string({
      description: 'Name of the documents that answer the question. Ignored with a `documentId`.',
    }),
    mustRefuse: t.boolean({
      description:
        'True: the documents do not answer the question, and the expectations are ignored. Default: false.',
    }),
    tags: t.stringList({ description: 'At most 20, with 64 characters each.' }),
    language: t.string({ description: 'At most 20 characters, such as `de`.' }),
  };
}

const SetQuestionInput = builder.inputType('SetQuestionInput', {
  fields: (t) => ({
    question: t.string({ required: true, description: '1 to 4,000 characters.' }),
    ...expectationFields(t),
    conversationId: t.id({
      description:
        'The conversation that the question was taken from. The question is erased with its end user. Default: none.',
    }),
  }),
});

const projectArgument = {
  description: 'Project that the set must belong to. Default: any project of the caller.',
};
const setName = nonBlankText(255);

const scheduleSchema = z
  .looseObject({
    everyHours: integer(1, maxEveryHours),
    bounds: figureBoundsSchema.nullish(),
  })
  .nullish();

const SetScheduleInput = builder.inputType('SetScheduleInput', {
  description:
    'Starts a run of the project as it is every so many hours, the first after that time. If a run is outside a bound, or fails, webhooks receive `evaluation.regressed`.',
  fields: (t) => ({
    everyHours: t.int({ required: true, description: 'Hours between two runs, 1 to 720.' }),
    bounds: t.field({ type: FigureBoundsInput, description: 'Default: no figure has a bound.' }),
  }),
});

const CreateQuestionSetInput = builder.inputType('CreateQuestionSetInput', {
  validate: fieldsSchema({
    name: setName,
    questions: questionsSchema.nullish(),
    schedule: scheduleSchema,
  }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be omitted with a project-scoped API key.' }),
    name: t.string({ required: true, description: '1 to 255 characters.' }),
    questions: t.field({
      type: [SetQuestionInput],
      description: 'At most 10,000. Default: none.',
    }),
    schedule: t.field({
      type: SetScheduleInput,
      description: 'Default: runs are started by hand only.',
    }),
  }),
});

const UpdateQuestionSetInput = builder.inputType('UpdateQuestionSetInput', {
  description: 'Changes to a question set. Omitted fields stay unchanged.',
  validate: fieldsSchema({ name: setName.nullish(), schedule: scheduleSchema }),
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(projectArgument),
    name: t.string({ description: '1 to 255 characters.' }),
    schedule: t.field({
      type: SetScheduleInput,
      description:
        'Replaces the schedule. If `everyHours` stays the same, so does the time of the next run. Null ends the schedule.',
    }),
  }),
});

const questionProject = {
  description: 'Project that the question must belong to. Default: any project of the caller.',
};

const UpdateSetQuestionInput = builder.inputType('UpdateSetQuestionInput', {
  description: 'Changes to a question. Omitted fields stay unchanged, null is the default.',
  validate: fieldsSchema({
    question: nonBlankText(limits.question).nullish(),
    ...expectationSchemas,
  }),
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(questionProject),
    question: t.string({ description: '1 to 4,000 characters.' }),
    ...expectationFields(t),
  }),
});

const DeleteSetQuestionInput = builder.inputType('DeleteSetQuestionInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(questionProject),
  }),
});

const DeleteQuestionSetInput = builder.inputType('DeleteQuestionSetInput', {
  fields: (t) => ({ id: t.id({ required: true }), projectId: t.id(projectArgument) }),
});

function questionsInput(name: 'ReplaceSetQuestionsInput' | 'AddSetQuestionsInput') {
  return builder.inputType(name, {
    validate: fieldsSchema({ questions: questionsSchema }),
    fields: (t) => ({
      id: t.id({ required: true }),
      projectId: t.id(projectArgument),
      questions: t.field({
        type: [SetQuestionInput],
        required: true,
        description: 'A set has at most 10,000.',
      }),
    }),
  });
}

const ReplaceSetQuestionsInput = questionsInput('ReplaceSetQuestionsInput');
const AddSetQuestionsInput = questionsInput('AddSetQuestionsInput');

const QuestionFormat = builder.enumType('QuestionFormat', {
  description: 'How questions are written in a file.',
  values: {
    CSV: {
      value: 'csv',
      description:
        'A table. The first row names the columns: `question` and, if needed, `expected`, `documentId`, `documentName`, `mustRefuse`, `tags`, `language` and `conversationId`. Columns are separated by commas, semicolons or tabs. In a cell, `|` separates the expected texts and the tags, `||` the alternatives of a text.',
    },
    JSONL: {
      value: 'jsonl',
      description: 'A JSON object with the same fields on each line.',
    },
  },
});

const ImportSetQuestionsInput = builder.inputType('ImportSetQuestionsInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(projectArgument),
    format: t.field({ type: QuestionFormat, required: true }),
    text: t.string({
      required: true,
      description: 'The content of the file. At most 6 MB and 10,000 questions.',
    }),
    replaces: t.boolean({
      description: 'True: replaces the questions of the set. Default: false.',
    }),
  }),
});

const QuestionImport = builder.objectRef<ImportShape>('QuestionImport').implement({
  description: 'The result of an import of questions.',
  fields: (t) => ({
    set: t.expose('set', { type: QuestionSet }),
    imported: t.exposeInt('imported', { description: 'Number of questions that were added.' }),
    alreadyThere: t.exposeInt('alreadyThere', {
      description:
        'Number of questions that were skipped, because the set has them, or because the text repeats them.',
    }),
  }),
});

const QuestionSetPage = createPageType('QuestionSetPage', QuestionSet);
const SetQuestionPage = createPageType('SetQuestionPage', SetQuestion);

builder.queryFields((t) => ({
  questionSet: t.field({
    type: QuestionSet,
    description: 'A question set by id. Needs `EVALUATION_READ`.',
    args: { id: t.arg.id({ required: true }), projectId: t.arg.id(projectArgument) },
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => getQuestionSet(context, args),
  }),
  questionSetPage: t.field({
    type: QuestionSetPage,
    description:
      'Question sets of a project by page number, newest first. Needs `EVALUATION_READ`.',
    args: { projectId: t.arg.id({ required: true }), ...pageArguments },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listQuestionSets(context, args),
  }),
  setQuestionPage: t.field({
    type: SetQuestionPage,
    description: 'Questions of a set by page number, in their order. Needs `EVALUATION_READ`.',
    args: {
      id: t.arg.id({ required: true, description: 'The set whose questions are listed.' }),
      projectId: t.arg.id(projectArgument),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listSetQuestions(context, args),
  }),
}));

builder.mutationFields((t) => ({
  createQuestionSet: t.field({
    type: QuestionSet,
    description: 'Creates a question set. A project has at most 100. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: CreateQuestionSetInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => createQuestionSet(context, input),
  }),
  updateQuestionSet: t.field({
    type: QuestionSet,
    description: 'Changes the name of a question set, or its schedule. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: UpdateQuestionSetInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => updateQuestionSet(context, input),
  }),
  deleteQuestionSet: t.field({
    type: QuestionSet,
    description: 'Deletes a question set with its questions and runs. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: DeleteQuestionSetInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => deleteQuestionSet(context, input),
  }),
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
  importSetQuestions: t.field({
    type: QuestionImport,
    description:
      'Adds the questions of a CSV or JSONL file to a set, and raises its version. Skips questions that the set has: case and white space do not count. If a line is wrong, nothing is stored, and each of the first 50 wrong lines has a message. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: ImportSetQuestionsInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => importSetQuestions(context, input),
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
