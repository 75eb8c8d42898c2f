import { setImmediate } from 'node:timers/promises';
import { countTokens } from '../knowledge/count-tokens.ts';
import { answerCandidates } from './answer-candidates.ts';
import { composeReply } from './compose-reply.ts';
import { standaloneQuestion } from './follow-up.ts';
import { modelFailure, throwIfStopped } from './model-failure.ts';
import type { AnswerPart, AnswerRequest, ChatModel, EmbeddingModel } from './models.ts';
import { preselect, rank } from './rank-candidates.ts';

/**
 * Answers without a language model: it quotes the one to three sentences of the sources that fit the
 * question best by their words and, through `embedding`, by their meaning. It neither rephrases nor
 * translates, so it follows no instructions. Usage: the tokens the embedding model read, and the reply's
 * as `countTokens` estimates them.
 */
export function builtInChatModel(options: { readonly embedding: EmbeddingModel }): ChatModel {
  return {
    name: 'built-in/extractive',
    isExtractive: true,
    async rewriteQuestion(request, signal) {
      throwIfStopped(signal);
      const query = standaloneQuestion(request);
      return { query, usage: { inputTokens: 0, outputTokens: 0 } };
    },
    answer: (request, signal) => answer(options.embedding, request, signal),
  };
}

async function* answer(
  embedding: EmbeddingModel,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  throwIfStopped(signal);
  const question = standaloneQuestion(request);
  const candidates = preselect(question, answerCandidates(request.sources));
  if (candidates.length === 0) {
    throw modelFailure('The sources hold no text to answer from');
  }
  const texts = [question, ...candidates.map(({ text }) => text)];
  const { vectors, tokens } = await embedding
    .embed(texts, { signal, kind: 'query' })
    .catch((error: unknown) => {
      throwIfStopped(signal);
      throw error;
    });
  const [asked = new Float32Array(), ...told] = vectors;
  const reply = composeReply(
    rank(
      question,
      candidates,
      told.map((vector) => dot(asked, vector)),
    ),
  );
  for (const text of partsOf(reply)) {
    throwIfStopped(signal);
    yield { type: 'text', text };
    await setImmediate();
  }
  throwIfStopped(signal);
  yield { type: 'usage', usage: { inputTokens: tokens, outputTokens: countTokens(reply) } };
}

/** The cosine of unit vectors. */
function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

/** A few words each; a long run without spaces is cut between characters. */
function partsOf(text: string): string[] {
  return text.match(/(?:\S{1,24}\s*){1,4}/gu) ?? [];
}
