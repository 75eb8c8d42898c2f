import type { Metrics, ModelCall, ModelOutcome } from '../metrics.ts';
import type {
  AnswerPart,
  AnswerRequest,
  ChatModel,
  EmbeddingModel,
  Reranker,
  TokenUsage,
} from './models.ts';

/** The same chat model; its calls, their tokens and the time to the first text are told to `metrics`. */
export function measuredChatModel(model: ChatModel, metrics: Metrics): ChatModel {
  return {
    name: model.name,
    isExtractive: model.isExtractive,
    async rewriteQuestion(request, signal) {
      const tellEnd = startCall(metrics, { operation: 'rewrite', model: model.name });
      try {
        const rewritten = await model.rewriteQuestion(request, signal);
        tellEnd('SUCCEEDED');
        tellUsage(metrics, model.name, rewritten.usage);
        return rewritten;
      } catch (error) {
        tellEnd(failureOf(signal));
        throw error;
      }
    },
    answer: (request, signal) => measuredAnswer(model, metrics, request, signal),
  };
}

/** The same embedding model; its calls and their tokens are told to `metrics`. */
export function measuredEmbeddingModel(model: EmbeddingModel, metrics: Metrics): EmbeddingModel {
  return {
    name: model.name,
    isInProcess: model.isInProcess,
    async embed(texts, options) {
      const tellEnd = startCall(metrics, { operation: 'embed', model: model.name });
      try {
        const embeddings = await model.embed(texts, options);
        tellEnd('SUCCEEDED');
        metrics.tokensUsed(model.name, 'embedding', embeddings.tokens);
        return embeddings;
      } catch (error) {
        tellEnd(failureOf(options?.signal));
        throw error;
      }
    },
  };
}

/** The same reranker; its calls are told to `metrics`. */
export function measuredReranker(reranker: Reranker, metrics: Metrics): Reranker {
  return {
    name: reranker.name,
    async score(query, texts, signal) {
      const tellEnd = startCall(metrics, { operation: 'rerank', model: reranker.name });
      try {
        const scores = await reranker.score(query, texts, signal);
        tellEnd('SUCCEEDED');
        return scores;
      } catch (error) {
        tellEnd(failureOf(signal));
        throw error;
      }
    },
  };
}

/** A consumer that returns early runs only `finally`: hence the outcome that is assumed until the end is known. */
async function* measuredAnswer(
  model: ChatModel,
  metrics: Metrics,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const startedAt = performance.now();
  const tellEnd = startCall(metrics, { operation: 'answer', model: model.name });
  let outcome: ModelOutcome = 'STOPPED';
  let hasText = false;
  try {
    for await (const part of model.answer(request, signal)) {
      if (part.type === 'usage') {
        tellUsage(metrics, model.name, part.usage);
      } else if (!hasText) {
        hasText = true;
        metrics.firstTextCame(model.name, secondsSince(startedAt));
      }
      yield part;
    }
    outcome = 'SUCCEEDED';
  } catch (error) {
    outcome = failureOf(signal);
    throw error;
  } finally {
    tellEnd(outcome);
  }
}

function startCall(
  metrics: Metrics,
  call: Pick<ModelCall, 'operation' | 'model'>,
): (outcome: ModelOutcome) => void {
  const startedAt = performance.now();
  return (outcome) =>
    metrics.modelCallEnded({ ...call, outcome, seconds: secondsSince(startedAt) });
}

function tellUsage(metrics: Metrics, model: string, usage: TokenUsage): void {
  metrics.tokensUsed(model, 'input', usage.inputTokens);
  metrics.tokensUsed(model, 'output', usage.outputTokens);
}

function failureOf(signal: AbortSignal | undefined): ModelOutcome {
  return signal?.aborted ? 'STOPPED' : 'FAILED';
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
