import { answerSteps } from '../../domain/chat/traces/answer-steps.ts';
import {
  callPurposes,
  decisionReasons,
  unusedReasons,
} from '../../domain/chat/traces/answer-trace.ts';
import {
  findAnswerTrace,
  getAnswerTrace,
  type ReadAnswerTrace as Shape,
} from '../../domain/chat/traces/get-answer-trace.ts';
import { filteredKinds } from '../../domain/output-filter/filtered-parts.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../described-values.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { Message } from './message.ts';

const AnswerStep = builder.enumType('AnswerStep', {
  description: 'A step of an answer. The order of the values is the order of the steps.',
  values: describedValues(answerSteps, {
    START: 'Stores the question and reads the history.',
    REPLY: 'Replies to small talk.',
    UNDERSTAND: 'Rewrites or translates the question for the search.',
    RETRIEVE: 'Searches and ranks the chunks.',
    READ: 'Selects the chunks for the chat model.',
    DECIDE: 'Decides whether the chat model is called.',
    WRITE: 'The chat model writes.',
    JUDGE: 'Adds the citations and the final confidence.',
  }),
});

const DecisionReason = builder.enumType('DecisionReason', {
  description: 'Why an answer has its text.',
  values: describedValues(decisionReasons, {
    ANSWERED: 'The chat model answered.',
    NOT_SUPPORTED: 'No document supports a sentence of the answer.',
    CUT_OFF: 'The chat model reached its output limit.',
    PROMPT_LEAK: 'The chat model repeated its instructions: the answer was cut there.',
    NO_HITS: 'The search found nothing.',
    BELOW_THRESHOLD: 'The confidence was below the threshold.',
    MODEL_REFUSED: 'The chat model did not find the answer in the documents, or refused to answer.',
    SMALL_TALK: 'The message was small talk.',
    HUMAN_REQUEST: 'The end user asked for a person.',
    MODEL_FAILED: 'The server of a model was unavailable, or its response was invalid.',
    FAILED: 'The answer failed for another reason.',
    STOPPED: 'The answer was stopped, or its reader disconnected.',
  }),
});

const UnusedHitReason = builder.enumType('UnusedHitReason', {
  description: 'Why the chat model did not receive a hit.',
  values: describedValues(unusedReasons, {
    BELOW_CUTOFF: 'Its score is too low, compared with the best hit.',
    NO_ROOM: 'Better hits had filled the context.',
    DUPLICATE: 'Another hit has nearly the same text.',
    NOT_ANSWERED: 'It was selected, but the chat model was not called.',
  }),
});

const ModelCallPurpose = builder.enumType('ModelCallPurpose', {
  description: 'What a call of a model was for.',
  values: describedValues(callPurposes, {
    REWRITE: 'Rewrote or translated the question for the search.',
    EMBED: 'Computed vectors of the question, or of sentences of the hits.',
    RERANK: 'Ranked the hits.',
    ANSWER: 'Wrote the answer.',
    REPLY: 'Wrote a reply to small talk.',
  }),
});

const FilteredKind = builder.enumType('FilteredKind', {
  description: 'What the output filter removed from an answer, or made inert.',
  values: describedValues(filteredKinds, {
    LINK: 'A link that is in no cited source.',
    CITATION_MARKER: 'A citation marker without a source.',
    HTML_TAG: 'An HTML tag, made inert.',
    CONTROL_CHARACTER: 'An unsafe character.',
    PROMPT_LEAK: 'A part of the instructions.',
  }),
});

const AnswerTraceQuestion = builder.objectRef<Shape['question']>('AnswerTraceQuestion').implement({
  description: 'The question of an answer. Texts are cut after 2,000 characters.',
  fields: (t) => ({
    asked: t.exposeString('asked'),
    rewritten: t.exposeString('rewritten', {
      nullable: true,
      description: 'The question without the conversation. Null if it was not rewritten.',
    }),
    corrected: t.exposeString('corrected', {
      nullable: true,
      description: 'The question with corrected spelling. Null if nothing was corrected.',
    }),
    translated: t.exposeString('translated', {
      nullable: true,
      description: 'The question in the language of the documents. Null if not translated.',
    }),
  }),
});

const AnswerTraceHit = builder.objectRef<Shape['hits'][number]>('AnswerTraceHit').implement({
  description: 'A chunk that the search found. Its document may be deleted since.',
  fields: (t) => ({
    documentId: t.exposeID('documentId'),
    documentName: t.exposeString('documentName', {
      nullable: true,
      description: 'Name that the document has now. Null if it was deleted.',
    }),
    chunkId: t.exposeID('chunkId'),
    score: t.exposeFloat('score', { description: 'Relevance, 0 to 1.' }),
    similarity: t.exposeFloat('similarity', {
      description: 'Similarity of the vectors of chunk and question, 0 to 1.',
    }),
    lexical: t.exposeFloat('lexical', {
      description: 'Score of the common words of chunk and question, 0 to 1.',
    }),
    rank: t.exposeInt('rank', {
      nullable: true,
      description:
        'Place in the ranked results, from 1. Null for hits that were not ranked, and for chunks that complete the section of a hit.',
    }),
    used: t.exposeBoolean('used', { description: 'Whether the chat model received the chunk.' }),
    reason: t.expose('reason', {
      type: UnusedHitReason,
      nullable: true,
      description: 'Why the chunk was not used. Null if it was used.',
    }),
  }),
});

const AnswerTraceFeature = builder
  .objectRef<Shape['decision']['features'][number]>('AnswerTraceFeature')
  .implement({
    description: 'A feature of the confidence.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Such as `coverage`.' }),
      value: t.exposeFloat('value', {
        description: 'From 0 to 1, except `answerability`, which is in log-odds.',
      }),
    }),
  });

const AnswerTraceDecision = builder.objectRef<Shape['decision']>('AnswerTraceDecision').implement({
  description: 'Why an answer has its text.',
  fields: (t) => ({
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description:
        'Confidence after the search, 0 to 1. Null if it was not measured. The answer has its own confidence.',
    }),
    threshold: t.exposeFloat('threshold', {
      nullable: true,
      description:
        'Confidence from which the chat model is called, 0 to 1. Null if it is called in any case.',
    }),
    reasons: t.expose('reasons', { type: [DecisionReason] }),
    features: t.field({
      type: [AnswerTraceFeature],
      description:
        'What the confidence was computed from, at most 20. Their names may change with a version.',
      resolve: ({ features }) => [...features],
    }),
  }),
});

const AnswerTraceModelCall = builder
  .objectRef<Shape['modelCalls'][number]>('AnswerTraceModelCall')
  .implement({
    description:
      'Tokens and duration of one request to a chat model, an embedding model or a reranker.',
    fields: (t) => ({
      model: t.exposeString('model'),
      purpose: t.expose('purpose', { type: ModelCallPurpose }),
      inputTokens: t.exposeInt('inputTokens'),
      outputTokens: t.exposeInt('outputTokens'),
      firstTokenMs: t.exposeFloat('firstTokenMs', {
        nullable: true,
        description:
          'Time until the first text, in milliseconds. Null if the call is not streamed.',
      }),
      totalMs: t.exposeFloat('totalMs', { description: 'Duration in milliseconds.' }),
      tries: t.exposeInt('tries', { description: 'Number of requests to the model server.' }),
    }),
  });

const AnswerTraceFiltered = builder
  .objectRef<Shape['filtered'][number]>('AnswerTraceFiltered')
  .implement({
    description: 'How often the output filter changed something of one kind.',
    fields: (t) => ({
      kind: t.expose('kind', { type: FilteredKind }),
      count: t.exposeInt('count'),
    }),
  });

const AnswerTraceTiming = builder
  .objectRef<Shape['timings'][number]>('AnswerTraceTiming')
  .implement({
    description: 'Duration of a step.',
    fields: (t) => ({
      step: t.expose('step', { type: AnswerStep }),
      ms: t.exposeFloat('ms', { description: 'Duration in milliseconds.' }),
    }),
  });

export const AnswerTrace = builder.objectRef<Shape>('AnswerTrace').implement({
  description: 'How an answer came about.',
  fields: (t) => ({
    question: t.expose('question', { type: AnswerTraceQuestion }),
    hits: t.field({
      type: [AnswerTraceHit],
      description:
        'Chunks that the search found, at most 40, best first. API keys with a filter see only hits of their documents.',
      resolve: ({ hits }) => [...hits],
    }),
    decision: t.expose('decision', { type: AnswerTraceDecision }),
    modelCalls: t.field({
      type: [AnswerTraceModelCall],
      description: 'Calls of models in the order of their start, at most 40.',
      resolve: ({ modelCalls }) => [...modelCalls],
    }),
    filtered: t.field({
      type: [AnswerTraceFiltered],
      description: 'What the output filter removed or changed.',
      resolve: ({ filtered }) => [...filtered],
    }),
    timings: t.field({
      type: [AnswerTraceTiming],
      description: 'Duration of each step of the answer, in order.',
      resolve: ({ timings }) => [...timings],
    }),
  }),
});

builder.objectFields(Message, (t) => ({
  trace: t.field({
    type: AnswerTrace,
    nullable: true,
    description:
      'How the answer came about, for the role AGENT and above. API keys need `analytics:read` and `conversations:read`. Null for other messages, while the answer is generated, and if no trace is stored.',
    authScopes: { permission: 'answer-traces:read' },
    resolve: (message, _args, context) => findAnswerTrace(context, message),
  }),
}));

builder.queryField('answerTrace', (t) =>
  t.field({
    type: AnswerTrace,
    description:
      'The trace of an answer by the id of its message. For the role AGENT and above. API keys need `analytics:read` and `conversations:read`.',
    args: {
      messageId: t.arg.id({ required: true }),
      projectId: t.arg.id(expectedProject('message')),
    },
    authScopes: { permission: 'answer-traces:read' },
    resolve: (_root, args, context) => getAnswerTrace(context, args),
  }),
);
