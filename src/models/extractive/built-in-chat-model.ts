import { setImmediate } from 'node:timers/promises';
import { coreQuestion } from '../../text/core-question.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { contentTerms } from '../../text/terms.ts';
import { throwIfAborted } from '../availability/model-failure.ts';
import { isFollowUp, previousAnswer, withoutMarkers } from '../follow-up/follow-up.ts';
import { standaloneQuestion } from '../follow-up/standalone-question.ts';
import type { AnswerPart, AnswerRequest, ChatModel } from '../models.ts';
import { type ReadSources, readSources, type SourceModels } from '../reader/read-sources.ts';
import { composeReply } from './compose-reply.ts';
import { followUpTexts } from './follow-up-texts.ts';
import { foreignPassageLead } from './foreign-passage-lead.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { startsWithVerdict, yesNoLead } from './yes-no.ts';

/**
 * Creates a chat model that works without a language model. It quotes one to three sentences of the sources. It chooses
 * the sentences that best match the question by words, by embedding similarity and, if there is one, by the answer
 * reader. It does not rephrase or translate, and it ignores instructions.
 *
 * Its token usage is the number of tokens that the embedding model read, plus an estimate for the reply.
 */
export function builtInChatModel(models: SourceModels): ChatModel {
  // Results of `read`. `answer` uses them again if it gets the same request.
  const reads = new WeakMap<AnswerRequest, ReadSources>();
  return {
    name: 'built-in/extractive',
    isExtractive: true,
    async rewriteQuestion(request, signal) {
      throwIfAborted(signal);
      const query = standaloneQuestion(request);
      return { query, usage: { inputTokens: 0, outputTokens: 0 } };
    },
    async read(request, signal) {
      try {
        const read = await readSources(models, request, signal);
        reads.set(request, read);
        return read;
      } catch {
        throwIfAborted(signal);
        return null; // `answer` reads again and reports the failure
      }
    },
    async *answer(request, signal) {
      throwIfAborted(signal);
      const read = reads.get(request) ?? (await readSources(models, request, signal));
      yield* answer(read, request, signal);
    },
  };
}

async function* answer(
  { question, ranked, tokens }: ReadSources,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  if (ranked.length === 0) {
    yield { type: 'refusal' };
    yield { type: 'text', text: textsFor(request).nothingMore };
    return;
  }
  const composed = composeReply(question, ranked, request.question);
  if (isRepeated(composed, request) && isOnAnotherSubject(request.question, composed)) {
    yield { type: 'refusal' };
    yield { type: 'text', text: textsFor(request).nothingMore };
    return;
  }
  const lead = leadOf(composed, ranked[0], request);
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

/**
 * Returns the words before the quotes, or null if there are none. The words are one of these: a note that the quotes
 * repeat the previous answer; a note that the quotes are in another language than the question; "yes" or "no", if the
 * quotes give this answer.
 */
function leadOf(
  composed: string,
  best: RankedCandidate | undefined,
  request: AnswerRequest,
): string | null {
  if (isRepeated(composed, request)) return textsFor(request).sameAnswer;
  const first = Number(/\[(\d+)\]/.exec(composed)?.[1]);
  const passage = request.sources[first - 1]?.content ?? '';
  // A row has too few words to detect its language.
  const isText = best?.kind !== 'row';
  const quote = withoutMarkers(composed);
  const foreign = isText ? foreignPassageLead(request.question, quote, passage) : null;
  if (foreign !== null || best === undefined || startsWithVerdict.test(composed)) return foreign;
  return yesNoLead(request.question, best);
}

/** Whether the reply is the same as the previous answer, or as the end of it. */
function isRepeated(reply: string, { history }: AnswerRequest): boolean {
  const answer = withoutMarkers(previousAnswer(history)?.content ?? '');
  return answer !== '' && answer.endsWith(withoutMarkers(reply));
}

/**
 * A reply that repeats the previous answer must contain at least this share of the question's words. Otherwise the
 * question is about another subject.
 */
const minSharedWords = 0.4;

/** Whether a question that can be understood without the conversation has few words in common with a reply. */
function isOnAnotherSubject(question: string, reply: string): boolean {
  const asked = [...new Set(contentTerms(coreQuestion(question)))];
  const terms = new Set(contentTerms(reply));
  const shared = asked.filter((term) => terms.has(term)).length;
  return !isFollowUp(question) && shared < minSharedWords * asked.length;
}

function textsFor({ question, history }: AnswerRequest) {
  return followUpTexts([question, ...history.map(({ content }) => content).reverse()]);
}

/** Splits the reply into parts of a few words for streaming. Cuts words that are longer than 24 characters. */
function streamParts(text: string): string[] {
  return text.match(/(?:\S{1,24}\s*){1,4}/gu) ?? [];
}
