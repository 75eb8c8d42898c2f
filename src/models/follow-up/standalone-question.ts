import { contentTerms } from '../../text/terms.ts';
import type { HistoryMessage, RewriteRequest } from '../models.ts';
import { isFollowUp, referencedItem } from './follow-up.ts';

/**
 * Rewrites a follow-up question so that it can be searched without the conversation. Adds the topic: the words of the
 * last answered question, and the heading of the passage that its answer cites. If the question refers to an item of a
 * list in the last answer, uses the item instead of the question. Works without a language model.
 */
export function standaloneQuestion(request: RewriteRequest): string {
  const { history, question } = request;
  const item = referencedItem(request);
  if (item !== null) return [item, ...topicWords(history, item)].join(' ');
  if (!isFollowUp(question)) return question;
  return [question, ...topicWords(history, question)].join(' ');
}

const maxAddedWords = 12;

/** Returns those words of the topic that are not in `question`. */
function topicWords(history: readonly HistoryMessage[], question: string): string[] {
  const known = new Set(contentTerms(question));
  const added: string[] = [];
  for (const text of topicTexts(history)) {
    for (const [word] of text.matchAll(wordPattern)) {
      const terms = contentTerms(word).filter((term) => !known.has(term));
      if (terms.length === 0) continue;
      for (const term of terms) known.add(term);
      added.push(word);
    }
  }
  return added.slice(0, maxAddedWords);
}

const wordPattern = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’._/-]*/gu;

/**
 * Returns the last question that names a topic, and the heading of the latest passage that an answer cites. A question
 * names a topic if it has at least two content words. A question whose answer cites nothing is used only if there is no
 * other.
 */
function topicTexts(history: readonly HistoryMessage[]): string[] {
  const asked = history.flatMap((message, index) => {
    if (message.role !== 'USER' || contentTerms(message.content).length < 2) return [];
    const answer = history[index + 1];
    return [{ text: message.content, heading: answer?.citedHeading }];
  });
  const topic = asked.findLast(({ heading }) => heading !== undefined) ?? asked.at(-1);
  if (topic === undefined) return [];
  // The heading comes from the latest cited answer, because a later follow-up may have led to another passage.
  const latest = history.findLast(({ citedHeading }) => citedHeading !== undefined);
  return [topic.text, latest?.citedHeading ?? ''];
}
