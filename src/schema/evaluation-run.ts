import { z } from 'zod';
import { storedCitations } from '../domain/conversations/messages.ts';
import { type Agreement, getAgreement } from '../domain/evaluation/agreement.ts';
import {
  type FigureComparison as Compared,
  type RunComparison as Comparison,
  compareEvaluations,
} from '../domain/evaluation/compare-runs.ts';
import {
  listEvaluationResults,
  type EvaluationResult as Result,
} from '../domain/evaluation/evaluation-results.ts';
import {
  cancelEvaluation,
  figuresOf,
  getEvaluation,
  listEvaluations,
  type EvaluationRun as Run,
  startEvaluation,
  storedFailedBounds,
} from '../domain/evaluation/evaluation-runs.ts';
import { storedExpectation } from '../domain/evaluation/expectation.ts';
import { markEvaluationResult } from '../domain/evaluation/mark-result.ts';
import type { ChangedQuestion as Changed } from '../domain/evaluation/read-changed-answers.ts';
import { storedBounds } from '../domain/evaluation/set-schedule.ts';
import { isId } from '../platform/ids.ts';
import {
  AnswerVerdict as AnswerVerdicts,
  EvaluationStatus as Statuses,
} from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { Citation } from './chat.ts';
import { EvaluationFigures } from './evaluation-figures.ts';
import { FailedBound, FigureBounds } from './figure-bounds.ts';
import {
  fieldsSchema,
  nonBlankText,
  optionalInteger,
  optionalNumber,
  optionalText,
} from './input-rules.ts';
import { Node } from './node.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from './page-type.ts';
import { expectedDescription } from './question-set.ts';

const EvaluationStatus = builder.enumType('EvaluationStatus', {
  description: 'State of an evaluation run.',
  values: {
    [Statuses.QUEUED]: { description: 'The run waits for its turn.' },
    [Statuses.RUNNING]: { description: 'Questions are being asked.' },
    [Statuses.DONE]: { description: 'All questions were asked, and the figures are known.' },
    [Statuses.FAILED]: { description: 'The run stopped because of an error.' },
    [Statuses.CANCELLED]: { description: 'The run was cancelled.' },
  },
});

const EvaluationProgress = builder
  .objectRef<{ readonly done: number; readonly total: number }>('EvaluationProgress')
  .implement({
    description: 'How many questions of a run were asked.',
    fields: (t) => ({ done: t.exposeInt('done'), total: t.exposeInt('total') }),
  });

const AnswerVerdict = builder.enumType('AnswerVerdict', {
  description: 'Whether an answer is right.',
  values: {
    [AnswerVerdicts.RIGHT]: {
      description: 'It answers the question, and agrees with the documents.',
    },
    [AnswerVerdicts.WRONG]: { description: 'It lacks something, or contradicts the documents.' },
  },
});

const EvaluationAgreement = builder.objectRef<Agreement>('EvaluationAgreement').implement({
  description:
    'How far the verdicts of the language model agree with the marks of people. Refusals do not count, because code decides about them.',
  fields: (t) => ({
    n: t.exposeInt('n', { description: 'Number of answers with a verdict and a mark.' }),
    share: t.exposeFloat('share', { description: 'Share of them with the same verdict and mark.' }),
    low: t.exposeFloat('low', { description: 'Lower bound of its 95 % interval (Wilson).' }),
    high: t.exposeFloat('high', { description: 'Upper bound of that interval.' }),
    kappa: t.exposeFloat('kappa', {
      nullable: true,
      description:
        "Cohen's kappa: 1 for full agreement, 0 for that of chance. Null if all verdicts and marks are the same.",
    }),
  }),
});

const EvaluationRun = builder.objectRef<Run>('EvaluationRun').implement({
  description: 'A run asks the questions of a set and judges the answers.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    setId: t.exposeID('setId'),
    setVersion: t.exposeInt('setVersion', { description: 'Version of the set that the run asks.' }),
    status: t.expose('status', { type: EvaluationStatus }),
    candidate: t.field({
      type: 'JSON',
      description: 'Settings that differ from those of the project.',
      resolve: ({ candidate }) => candidate as object,
    }),
    progress: t.field({
      type: EvaluationProgress,
      resolve: ({ done, total }) => ({ done, total }),
    }),
    figures: t.field({
      type: EvaluationFigures,
      nullable: true,
      description: 'Null unless the run is done.',
      resolve: figuresOf,
    }),
    judgeModel: t.exposeString('judgeModel', {
      nullable: true,
      description: 'Name of the language model that judges the answers, too. Null: only code does.',
    }),
    agreement: t.field({
      type: EvaluationAgreement,
      nullable: true,
      description: 'Null without an answer that has a verdict and a mark.',
      resolve: (run, _args, context) => getAgreement(context, run),
    }),
    isScheduled: t.exposeBoolean('isScheduled', {
      description: 'Whether the schedule of the set has started the run.',
    }),
    bounds: t.field({
      type: FigureBounds,
      description: 'Bounds of the schedule when it started the run.',
      resolve: storedBounds,
    }),
    failedBounds: t.field({
      type: [FailedBound],
      nullable: true,
      description: 'Figures that are worse than their bounds. Null unless the run is done.',
      resolve: storedFailedBounds,
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why the run has failed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
  }),
});

const EvaluationResult = builder.objectRef<Result>('EvaluationResult').implement({
  description:
    'A question of a run as it was when the run started, with the answer and its judgement.',
  fields: (t) => ({
    questionId: t.exposeID('questionId'),
    question: t.string({ resolve: ({ asked }) => asked.question }),
    expected: t.field({
      type: t.listRef(t.listRef('String')),
      description: expectedDescription,
      resolve: ({ asked }) => storedExpectation(asked).expected,
    }),
    documentId: t.id({ nullable: true, resolve: ({ asked }) => asked.documentId }),
    documentName: t.string({ nullable: true, resolve: ({ asked }) => asked.documentName }),
    mustRefuse: t.exposeBoolean('mustRefuse'),
    tags: t.stringList({ resolve: ({ asked }) => asked.tags }),
    language: t.string({ nullable: true, resolve: ({ asked }) => asked.language }),
    answer: t.exposeString('answer', {
      nullable: true,
      description: 'Null if the question failed: see `error`.',
    }),
    citations: t.field({ type: [Citation], resolve: (row) => [...storedCitations(row)] }),
    confidence: t.exposeFloat('confidence', { nullable: true, description: '0 to 1.' }),
    retrievalConfidence: t.exposeFloat('retrievalConfidence', {
      nullable: true,
      description:
        'The confidence before the answer was written, 0 to 1, which is compared with the threshold. Null if the question failed.',
    }),
    isDocumentMissing: t.exposeBoolean('isDocumentMissing', {
      description:
        'Whether the expected document does not exist, or was left out. The question then does not count in recall and citations.',
    }),
    rank: t.exposeInt('rank', {
      nullable: true,
      description:
        'Rank of the expected document among the documents of ten search results, from 1. Null if it was not found, or none is expected.',
    }),
    firstCitationRight: t.exposeBoolean('firstCitationRight', {
      nullable: true,
      description: 'Null if no document is expected.',
    }),
    containsExpected: t.exposeBoolean('containsExpected', {
      nullable: true,
      description: 'Null if no text is expected.',
    }),
    refused: t.exposeBoolean('refused', {
      nullable: true,
      description: 'Whether the assistant said that it does not know. Null if the question failed.',
    }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true }),
    inputTokens: t.exposeInt('inputTokens'),
    outputTokens: t.exposeInt('outputTokens'),
    embeddingTokens: t.exposeInt('embeddingTokens'),
    modelVerdict: t.expose('modelVerdict', {
      type: AnswerVerdict,
      nullable: true,
      description:
        'Verdict of the language model. Null if it was not asked, or gave none: see `modelReason`.',
    }),
    modelReason: t.exposeString('modelReason', {
      nullable: true,
      description:
        'Reason of the verdict, or why there is none. At most 500 characters. Null if the model was not asked.',
    }),
    judgeInputTokens: t.exposeInt('judgeInputTokens', {
      description: 'Input tokens of the verdict. They do not count in the figure `tokens`.',
    }),
    judgeOutputTokens: t.exposeInt('judgeOutputTokens', {
      description: 'Output tokens of the verdict.',
    }),
    mark: t.expose('mark', {
      type: AnswerVerdict,
      nullable: true,
      description: 'What a person thinks of the answer. Null until someone has marked it.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why there is no answer.' }),
  }),
});

export const Verdict = builder.enumType('EvaluationVerdict', {
  description: 'Whether a figure differs by more than chance.',
  values: {
    BETTER: { description: 'The later one is better.' },
    WORSE: { description: 'The later one is worse.' },
    NO_DIFFERENCE: {
      description: 'The questions cannot show a difference, or fewer than ten of them differ.',
    },
  },
});

const FigureComparison = builder.objectRef<Compared>('FigureComparison').implement({
  description: 'A figure over the questions that both runs have answered.',
  fields: (t) => ({
    figure: t.exposeString('figure', {
      description: 'Name of a figure of `EvaluationFigures`.',
    }),
    n: t.exposeInt('n', { description: 'Number of questions that were compared.' }),
    before: t.exposeFloat('before', { description: 'Mean of the first run.' }),
    after: t.exposeFloat('after', { description: 'Mean of the other run.' }),
    low: t.exposeFloat('low', {
      description: 'Lower bound of the 95 % interval of the difference (paired bootstrap).',
    }),
    high: t.exposeFloat('high', { description: 'Upper bound of that interval.' }),
    verdict: t.expose('verdict', { type: Verdict }),
  }),
});

const ChangedQuestion = builder.objectRef<Changed>('ChangedQuestion').implement({
  description: 'A question that the two runs answered differently well.',
  fields: (t) => ({
    questionId: t.exposeID('questionId'),
    question: t.exposeString('question'),
    isBetter: t.exposeBoolean('isBetter', {
      nullable: true,
      description: 'Null if the other run is better in one respect and worse in another.',
    }),
    before: t.expose('before', { type: EvaluationResult }),
    after: t.expose('after', { type: EvaluationResult }),
  }),
});

const EvaluationComparison = builder.objectRef<Comparison>('EvaluationComparison').implement({
  description: 'Two runs, compared question by question.',
  fields: (t) => ({
    before: t.expose('before', { type: EvaluationRun }),
    after: t.expose('after', { type: EvaluationRun }),
    figures: t.field({ type: [FigureComparison], resolve: ({ figures }) => [...figures] }),
    changedCount: t.exposeInt('changedCount', {
      description: 'Number of questions that were answered differently well.',
    }),
    changed: t.field({
      type: [ChangedQuestion],
      description: 'The first 200 of them, with at most 1 MB of texts, in the order of the set.',
      resolve: ({ changed }) => [...changed],
    }),
  }),
});

const CandidateInput = builder.inputType('EvaluationCandidateInput', {
  description: 'Settings of the assistant to try. Omitted settings are those of the project.',
  validate: fieldsSchema({
    instructions: optionalText(10_000),
    answerThreshold: optionalNumber(0, 1),
    contextChunks: optionalInteger(1, 1_000),
    chatModel: nonBlankText(255).nullish(),
    embeddingModel: nonBlankText(255).nullish(),
    withoutDocumentIds: z
      .array(z.string().refine(isId, 'must be a UUID'))
      .max(100, 'must have at most 100 entries')
      .nullish(),
  }),
  fields: (t) => ({
    instructions: t.string({ description: 'At most 10,000 characters.' }),
    answerThreshold: t.float({
      description: 'Confidence from which the assistant answers, 0 to 1.',
    }),
    contextChunks: t.int({
      description: 'Maximum number of chunks that the language model receives.',
    }),
    chatModel: t.string({ description: 'Another chat model of the same model server.' }),
    embeddingModel: t.string({
      description:
        'Another embedding model: the built-in one, or a model of the model server. The run first embeds all chunks, at most 20,000.',
    }),
    withoutDocumentIds: t.idList({ description: 'Documents to leave out, at most 100.' }),
  }),
});

const StartEvaluationInput = builder.inputType('StartEvaluationInput', {
  fields: (t) => ({
    projectId: t.id({
      description: 'Project that the set must belong to. Default: any project of the caller.',
    }),
    setId: t.id({ required: true }),
    candidate: t.field({ type: CandidateInput }),
    judgeByModel: t.boolean({
      description:
        'Whether the language model of the installation judges the answers, too. Needs a language model. Default: false.',
    }),
  }),
});

const runProject = {
  description: 'Project that the run must belong to. Default: any project of the caller.',
};

const CancelEvaluationInput = builder.inputType('CancelEvaluationInput', {
  fields: (t) => ({ id: t.id({ required: true }), projectId: t.id(runProject) }),
});

const MarkEvaluationResultInput = builder.inputType('MarkEvaluationResultInput', {
  fields: (t) => ({
    runId: t.id({ required: true }),
    questionId: t.id({ required: true, description: 'The question whose answer is marked.' }),
    projectId: t.id(runProject),
    mark: t.field({ type: AnswerVerdict, description: 'Null or omitted: removes the mark.' }),
  }),
});

const EvaluationRunPage = createPageType('EvaluationRunPage', EvaluationRun);
const EvaluationResultPage = createPageType('EvaluationResultPage', EvaluationResult);

builder.queryFields((t) => ({
  evaluationRun: t.field({
    type: EvaluationRun,
    description: 'An evaluation run by id. Needs `EVALUATION_READ`.',
    args: { id: t.arg.id({ required: true }), projectId: t.arg.id(runProject) },
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => getEvaluation(context, args),
  }),
  evaluationRunPage: t.field({
    type: EvaluationRunPage,
    description:
      'Evaluation runs of a project by page number, newest first. The latest 100 of each set are kept. Needs `EVALUATION_READ`.',
    args: {
      projectId: t.arg.id({ required: true }),
      setId: t.arg.id({ description: 'Only runs of this set. Default: of all sets.' }),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listEvaluations(context, args),
  }),
  evaluationResultPage: t.field({
    type: EvaluationResultPage,
    description:
      'Results that a run has so far, by page number, in the order of the questions. Needs `EVALUATION_READ`.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the run.' }),
      projectId: t.arg.id(runProject),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listEvaluationResults(context, args),
  }),
  compareEvaluations: t.field({
    type: EvaluationComparison,
    description:
      'Compares a run with another run of the same project, over the questions that both have answered. Needs `EVALUATION_READ`.',
    args: {
      id: t.arg.id({ required: true, description: 'The first run.' }),
      otherId: t.arg.id({ required: true, description: 'The other run.' }),
      projectId: t.arg.id(runProject),
    },
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => compareEvaluations(context, args),
  }),
}));

builder.mutationFields((t) => ({
  startEvaluation: t.field({
    type: EvaluationRun,
    description:
      "Starts a run of a question set, against the project as it is or with other settings. Each question uses one of the plan's evaluated questions, and no message. If they are used up during the run, it fails and keeps its results. It stores no conversation, and sends no webhook. One run of a set at a time. Needs `EVALUATION_WRITE`.",
    args: { input: t.arg({ type: StartEvaluationInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => startEvaluation(context, input),
  }),
  cancelEvaluation: t.field({
    type: EvaluationRun,
    description:
      'Cancels a run that has not finished. Its results are kept. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: CancelEvaluationInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => cancelEvaluation(context, input),
  }),
  markEvaluationResult: t.field({
    type: EvaluationResult,
    description:
      'Stores what a person thinks of an answer of a run. The run shows how far the verdicts of the language model agree with the marks. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: MarkEvaluationResultInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => markEvaluationResult(context, input),
  }),
}));
