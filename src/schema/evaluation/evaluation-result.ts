import { storedCitations } from '../../domain/conversations/messages.ts';
import {
  listEvaluationResults,
  type EvaluationResult as Result,
} from '../../domain/evaluation/evaluation-results.ts';
import { storedExpectation } from '../../domain/evaluation/expectation.ts';
import { markEvaluationResult } from '../../domain/evaluation/mark-result.ts';
import { findResultTrace } from '../../domain/evaluation/result-trace.ts';
import { AnswerVerdict as AnswerVerdicts } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { Citation } from '../chat/chat.ts';
import { AnswerTrace } from '../conversations/answer-trace.ts';
import { fieldsSchema } from '../input-rules.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';
import { expectedDescription } from './set-question.ts';

const AnswerVerdict = builder.enumType('AnswerVerdict', {
  description: 'Whether an answer is right.',
  values: {
    [AnswerVerdicts.RIGHT]: {
      description: 'It answers the question, and agrees with the documents.',
    },
    [AnswerVerdicts.WRONG]: { description: 'It lacks something, or contradicts the documents.' },
  },
});

export const EvaluationResult = builder.objectRef<Result>('EvaluationResult').implement({
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
    trace: t.field({
      type: AnswerTrace,
      nullable: true,
      description:
        'How the answer came about, with at most 15 hits. For the role AGENT and above. API keys need `analytics:read`. Null if none is stored.',
      authScopes: { permission: 'answer-traces:read' },
      resolve: (result, _args, context) => findResultTrace(context, result),
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why there is no answer.' }),
  }),
});

const EvaluationResultPage = createPageType('EvaluationResultPage', EvaluationResult);

const MarkEvaluationResultInput = builder.inputType('MarkEvaluationResultInput', {
  fields: (t) => ({
    runId: t.id({ required: true }),
    questionId: t.id({ required: true, description: 'The question whose answer is marked.' }),
    projectId: t.id(expectedProject('run')),
    mark: t.field({ type: AnswerVerdict, description: 'Null or omitted: removes the mark.' }),
  }),
});

builder.queryFields((t) => ({
  evaluationResultPage: t.field({
    type: EvaluationResultPage,
    description:
      'Results that a run has so far, by page number, in the order of the questions. Needs `EVALUATION_READ`.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the run.' }),
      projectId: t.arg.id(expectedProject('run')),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listEvaluationResults(context, args),
  }),
}));

builder.mutationFields((t) => ({
  markEvaluationResult: t.field({
    type: EvaluationResult,
    description:
      'Stores what a person thinks of an answer of a run. The run shows how far the verdicts of the language model agree with the marks. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: MarkEvaluationResultInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => markEvaluationResult(context, input),
  }),
}));
