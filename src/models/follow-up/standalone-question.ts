import { contentTerms } from '../../text/terms.ts';
import type { HistoryMessage, RewriteRequest } from '../models.ts';
import { isFollowUp, referencedItem } from './follow-up.ts';

/**
 * Rewrites a follow-up question so that it can be searched without the conversation: adds its topic, which is the words
 * of the last answered question and the heading of the passage that was cited for it. If the question refers to an item
 * of a list in the last answer, adds the item instead. A heuristic without a language model.
 */
export function standaloneQuestion(request: RewriteRequest): string {
  const { history, question } = request;
  const item = referencedItem(request);
  if (item !== null) return [item, ...topicWords(history, item)].join(' ');
  if (!isFollowUp(question)) return question;
  return [question, ...topicWords(history, question)].join(' ');
}

const maxAddedWords = 12;

/** Returns the words of the topic whose terms are not in `question`. */
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
 * Returns the last question that states a topic, and the heading cited for its answer. A question states a topic if it
 * has two content words. Questions without a cited answer are used only if there is no other.
 */
function topicTexts(history: readonly HistoryMessage[]): string[] {
  const asked = history.flatMap((message, index) => {
    if (message.role !== 'USER' || contentTerms(message.content).length < 2) return [];
    const answer = history[index + 1];
    return [{ text: message.content, heading: answer?.citedHeading }];
  });
  const topic = asked.findLast(({ heading }) => heading !== undefined) ?? asked.at(-1);
  if (topic === undefined) return [];
  // A later follow-up can have moved on to another passage.
  const latest = history.findLast(({ citedHeading }) => citedHeading !== undefined);
  return [topic.text, latest?.citedHeading ?? ''];
}
