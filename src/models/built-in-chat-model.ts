import { setImmediate } from 'node:timers/promises';
import { coreQuestion } from '../text/core-question.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import { contentTerms } from '../text/terms.ts';
import { answerCandidates } from './answer-candidates.ts';
import { composeReply } from './compose-reply.ts';
import { dotProduct } from './dot-product.ts';
import { isFollowUp, previousAnswer, withoutMarkers } from './follow-up.ts';
import { selectFollowUpCandidates } from './follow-up-candidates.ts';
import { followUpTexts } from './follow-up-texts.ts';
import { foreignPassageLead } from './foreign-passage-lead.ts';
import { modelFailure, throwIfAborted } from './model-failure.ts';
import type { AnswerPart, AnswerRequest, ChatModel, EmbeddingModel } from './models.ts';
import { preselectCandidates, rankCandidates } from './rank-candidates.ts';
import { standaloneQuestion } from './standalone-question.ts';

/**
 * Creates a chat model that works without a language model. It quotes the one to three sentences of the sources that
 * best match the question by words and by embedding similarity. It does not rephrase or translate, and it ignores
 * instructions.
 *
 * Its token usage is the number of tokens that the embedding model read, plus an estimate for the reply.
 */
export function builtInChatModel(options: { readonly embedding: EmbeddingModel }): ChatModel {
  return {
    name: 'built-in/extractive',
    isExtractive: true,
    async rewriteQuestion(request, signal) {
      throwIfAborted(signal);
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
  throwIfAborted(signal);
  const question = request.query ?? standaloneQuestion(request);
  const all = answerCandidates(request.sources);
  if (all.length === 0) {
    throw modelFailure('The sources contain no text to answer from');
  }
  const candidates = preselectCandidates(question, selectFollowUpCandidates(request, all));
  if (candidates.length === 0) {
    yield { type: 'refusal' };
    yield { type: 'text', text: textsFor(request).nothingMore };
    return;
  }
  const texts = [question, ...candidates.map(({ text }) => text)];
  const { vectors, tokens } = await embedding
    .embed(texts, { signal, kind: 'query' })
    .catch((error: unknown) => {
      throwIfAborted(signal);
      throw error;
    });
  const [questionVector = new Float32Array(), ...candidateVectors] = vectors;
  const composed = composeReply(
    question,
    rankCandidates(
      candidates,
      candidateVectors.map((vector) => dotProduct(questionVector, vector)),
    ),
    request.question,
  );
  if (isRepeated(composed, request) && isOnAnotherSubject(request.question, composed)) {
    yield { type: 'refusal' };
    yield { type: 'text', text: textsFor(request).nothingMore };
    return;
  }
  const lead = leadOf(composed, request);
  if (lead !== null) yield { type: 'text', text: `${lead} `, isLead: true };
  for (const text of streamParts(composed)) {
    throwIfAborted(signal);
    yield { type: 'text', text };
    await setImmediate();
  }
  throwIfAborted(signal);
  yield {
    type: 'usage',
    usage: { inputTokens: tokens, outputTokens: estimateTokens(`${lead ?? ''} ${composed}`) },
  };
}

/** Returns the words before the quotes: that they are the previous answer, or in another language than the question. */
function leadOf(composed: string, request: AnswerRequest): string | null {
  if (isRepeated(composed, request)) return textsFor(request).sameAnswer;
  const first = Number(/\[(\d+)\]/.exec(composed)?.[1]);
  const passage = request.sources[first - 1]?.content ?? '';
  return foreignPassageLead(request.question, withoutMarkers(composed), passage);
}

/** Returns whether the reply is the previous answer, or the end of it. */
function isRepeated(reply: string, { history }: AnswerRequest): boolean {
  const answer = withoutMarkers(previousAnswer(history)?.content ?? '');
  return answer !== '' && answer.endsWith(withoutMarkers(reply));
}

/** Minimum share of the words of a question that an answer contains if it was given before. */
const minSharedWords = 0.4;

/** Returns true if a question that can be understood alone has few words in common with a reply. */
function isOnAnotherSubject(question: string, reply: string): boolean {
  const asked = [...new Set(contentTerms(coreQuestion(question)))];
  const terms = new Set(contentTerms(reply));
  const shared = asked.filter((term) => terms.has(term)).length;
  return !isFollowUp(question) && shared < minSharedWords * asked.length;
}

function textsFor({ question, history }: AnswerRequest) {
  return followUpTexts([question, ...history.map(({ content }) => content).reverse()]);
}

/** Splits the reply into parts of a few words, to stream them. Cuts words of more than 24 characters. */
function streamParts(text: string): string[] {
  return text.match(/(?:\S{1,24}\s*){1,4}/gu) ?? [];
}
