import type { Metrics, ModelCall, ModelCallOutcome } from '../platform/metrics.ts';
import { streamInSpan } from '../platform/tracing/stream-in-span.ts';
import { inSpan, setSpanAttributes } from '../platform/tracing/tracer.ts';
import { noOverrides, parseStoredModelName } from './embedding/embedding-settings.ts';
import { ContentRecorder, type ModelProvider, modelSpan, recordSpanUsage } from './model-span.ts';
import type {
  AnswerPart,
  AnswerRequest,
  ChatModel,
  ChatModelSettings,
  EmbeddingModel,
  OnTry,
  ReplyRequest,
  Reranker,
  TokenUsage,
} from './models.ts';
import type { PromptMessage } from './prompt/prompt-message.ts';

/** Records the calls of models: their metrics, and spans that name the provider. */
export interface ModelInstruments {
  readonly metrics: Metrics;
  readonly provider: ModelProvider;
}

/** Wraps a chat model and records its calls, tokens and time to first token. */
export function instrumentedChatModel(model: ChatModel, instruments: ModelInstruments): ChatModel {
  const wordReply = model.wordReply?.bind(model);
  const configure = model.configure?.bind(model);
  const read = model.read?.bind(model);
  const hasModel = model.hasModel?.bind(model);
  const complete = model.complete?.bind(model);
  return {
    name: model.name,
    isExtractive: model.isExtractive,
    contextLimits: model.contextLimits,
    options: model.options,
    ...(configure && {
      configure: (settings: ChatModelSettings) =>
        instrumentedChatModel(configure(settings), instruments),
    }),
    rewriteQuestion(request, signal, onTry) {
      const rewrite = () => model.rewriteQuestion(request, signal, onTry);
      // The built-in rewrite applies rules and calls no model.
      return model.isExtractive
        ? measuredCall(model, instruments, 'rewrite', signal, rewrite)
        : instrumentedCall(model, instruments, 'rewrite', signal, rewrite);
    },
    ...(wordReply && {
      wordReply: (request: ReplyRequest, signal: AbortSignal, onTry?: OnTry) =>
        instrumentedCall(model, instruments, 'reply', signal, () =>
          wordReply(request, signal, onTry),
        ),
    }),
    ...(complete && {
      complete: (messages: readonly PromptMessage[], signal: AbortSignal) =>
        instrumentedCall(model, instruments, 'complete', signal, () => complete(messages, signal)),
    }),
    ...(read && { read }),
    ...(hasModel && { hasModel }),
    answer: (request, signal, onTry) =>
      streamInSpan(...modelSpan('chat', model.name, instruments.provider), (span) => {
        span?.setAttributes({ 'grounded_chat.model.call': 'answer' });
        return instrumentedAnswer(model, instruments.metrics, { request, onTry }, signal);
      }),
  };
}

/** Makes a call whose result contains its token usage, in a span. Records the call and its tokens. */
function instrumentedCall<T extends { readonly usage: TokenUsage }>(
  model: ChatModel,
  instruments: ModelInstruments,
  operation: ModelCall['operation'],
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  return inSpan(...modelSpan('chat', model.name, instruments.provider), async (span) => {
    span?.setAttributes({ 'grounded_chat.model.call': operation });
    const result = await measuredCall(model, instruments, operation, signal, call);
    recordSpanUsage(result.usage);
    return result;
  });
}

/** Makes a call and records its metrics. */
async function measuredCall<T extends { readonly usage: TokenUsage }>(
  { name }: ChatModel,
  { metrics }: ModelInstruments,
  operation: ModelCall['operation'],
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  const recordOutcome = startCall(metrics, { operation, model: name });
  try {
    const result = await call();
    recordOutcome('SUCCEEDED');
    recordUsage(metrics, name, result.usage);
    return result;
  } catch (error) {
    recordOutcome(failureOf(signal));
    throw error;
  }
}

/** Wraps an embedding model and records its calls and tokens. */
export function instrumentedEmbeddingModel(
  model: EmbeddingModel,
  { metrics, provider }: ModelInstruments,
): EmbeddingModel {
  const { name } = model;
  const { model: requested } = parseStoredModelName(name, noOverrides);
  const settings = modelSpan('embeddings', requested, provider);
  return {
    ...model,
    embed: (texts, options) =>
      inSpan(...settings, async (span) => {
        const recordOutcome = startCall(metrics, { operation: 'embed', model: name });
        try {
          const embeddings = await model.embed(texts, options);
          recordOutcome('SUCCEEDED');
          metrics.recordTokenUsage(name, 'embedding', embeddings.tokens);
          span?.setAttributes({ 'gen_ai.usage.input_tokens': embeddings.tokens });
          return embeddings;
        } catch (error) {
          recordOutcome(failureOf(options?.signal));
          throw error;
        }
      }),
  };
}

/** Wraps a reranker and records its calls. */
export function instrumentedReranker(
  reranker: Reranker,
  { metrics, provider }: ModelInstruments,
): Reranker {
  const { name } = reranker;
  const settings = modelSpan('rerank', name, provider);
  return {
    name,
    score: (query, texts, signal) =>
      inSpan(...settings, async (span) => {
        span?.setAttributes({ 'grounded_chat.rerank.texts': texts.length });
        const recordOutcome = startCall(metrics, { operation: 'rerank', model: name });
        try {
          const scores = await reranker.score(query, texts, signal);
          recordOutcome('SUCCEEDED');
          return scores;
        } catch (error) {
          recordOutcome(failureOf(signal));
          throw error;
        }
      }),
  };
}

/**
 * Streams the answer and records metrics. If the consumer stops reading early, only `finally` runs, so the outcome is
 * STOPPED until the answer is complete.
 */
async function* instrumentedAnswer(
  model: ChatModel,
  metrics: Metrics,
  { request, onTry }: { readonly request: AnswerRequest; readonly onTry: OnTry | undefined },
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const startedAt = performance.now();
  const recordOutcome = startCall(metrics, { operation: 'answer', model: model.name });
  const content = new ContentRecorder(request.question);
  let outcome: ModelCallOutcome = 'STOPPED';
  let hasText = false;
  try {
    for await (const part of model.answer(request, signal, onTry)) {
      if (part.type === 'usage') {
        recordSpanUsage(part.usage);
        if (!part.isProvisional) recordUsage(metrics, model.name, part.usage);
      } else if (part.type === 'text' && !hasText) {
        hasText = true;
        metrics.recordTimeToFirstToken(model.name, secondsSince(startedAt));
      } else if (part.type === 'finish') {
        setSpanAttributes({ 'gen_ai.response.finish_reasons': [part.reason.toLowerCase()] });
      }
      if (part.type === 'text') content.add(part.text);
      yield part;
    }
    outcome = 'SUCCEEDED';
  } catch (error) {
    outcome = failureOf(signal);
    throw error;
  } finally {
    recordOutcome(outcome);
    content.finish();
  }
}

function startCall(
  metrics: Metrics,
  call: Pick<ModelCall, 'operation' | 'model'>,
): (outcome: ModelCallOutcome) => void {
  const startedAt = performance.now();
  return (outcome) =>
    metrics.recordModelCall({ ...call, outcome, seconds: secondsSince(startedAt) });
}

function recordUsage(metrics: Metrics, model: string, usage: TokenUsage): void {
  metrics.recordTokenUsage(model, 'input', usage.inputTokens);
  metrics.recordTokenUsage(model, 'output', usage.outputTokens);
}

function failureOf(signal: AbortSignal | undefined): ModelCallOutcome {
  return signal?.aborted ? 'STOPPED' : 'FAILED';
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
