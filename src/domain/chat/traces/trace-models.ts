import type { ChatModel, EmbeddingModel, Reranker } from '../../../models/models.ts';
import type { ServingModels } from '../../../models/serving-models.ts';
import type { Context } from '../../context.ts';
import type { AnswerTraceRecorder, CallRecorder } from './answer-trace-recorder.ts';

/** Returns the context of an answer whose trace is recorded. Null: the same context. */
export function withTrace(context: Context, answerTrace: AnswerTraceRecorder | null): Context {
  if (answerTrace === null) return context;
  return { ...context, answerTrace, models: traceModels(context.models, answerTrace) };
}

/** Returns models whose calls the trace records, except `ChatModel.answer`, which `composeGroundedAnswer` records. */
function traceModels(models: ServingModels, trace: AnswerTraceRecorder): ServingModels {
  return {
    ...models,
    chat: tracedChatModel(models.chat, trace),
    reranker: models.reranker && tracedReranker(models.reranker, trace),
    async servingEmbedding() {
      const { model, id } = await models.servingEmbedding();
      return { model: model && tracedEmbeddingModel(model, trace), id };
    },
  };
}

function tracedChatModel(model: ChatModel, trace: AnswerTraceRecorder): ChatModel {
  // The built-in rewrite applies rules and calls no model.
  if (model.isExtractive) return model;
  const { wordReply } = model;
  return {
    ...model,
    rewriteQuestion: (request, signal) =>
      traced(trace.startCall(model.name, 'REWRITE'), async (call) => {
        const result = await model.rewriteQuestion(request, signal, call.onTry);
        call.setUsage(result.usage);
        return result;
      }),
    ...(wordReply && {
      wordReply: (request, signal) =>
        traced(trace.startCall(model.name, 'REPLY'), async (call) => {
          const result = await wordReply(request, signal, call.onTry);
          call.setUsage(result.usage);
          return result;
        }),
    }),
  };
}

function tracedEmbeddingModel(model: EmbeddingModel, trace: AnswerTraceRecorder): EmbeddingModel {
  return {
    ...model,
    observed: model,
    embed: (texts, options) =>
      traced(trace.startCall(model.name, 'EMBED'), async (call) => {
        const result = await model.embed(texts, { ...options, onTry: call.onTry });
        call.setUsage({ inputTokens: result.tokens, outputTokens: 0 });
        return result;
      }),
  };
}

function tracedReranker(reranker: Reranker, trace: AnswerTraceRecorder): Reranker {
  return {
    name: reranker.name,
    score: (query, texts, signal) =>
      traced(trace.startCall(reranker.name, 'RERANK'), async (call) => {
        const result = await reranker.score(query, texts, signal);
        if (result !== null) call.setUsage({ inputTokens: result.tokens, outputTokens: 0 });
        return result;
      }),
  };
}

async function traced<Result>(
  call: CallRecorder,
  run: (call: CallRecorder) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(call);
  } finally {
    call.end();
  }
}
