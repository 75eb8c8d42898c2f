import { contentTerms } from '../text/terms.ts';
import type { RewriteRequest } from './models.ts';

/**
 * Rewrites a follow-up question so that it can be searched without the conversation: adds the words of the question
 * before it. A heuristic without a language model. It detects that a question is a follow-up (it starts with "and",
 * contains "it", or has at most one content word), but not what the question refers to.
 */
export function standaloneQuestion({ history, question }: RewriteRequest): string {
  const asked = history.filter(({ role }) => role === 'USER').map(({ content }) => content);
  const before = asked.findLast((content) => contentTerms(content).length >= 2);
  if (before === undefined || !isFollowUp(question)) {
    return question;
  }
  const known = new Set(contentTerms(question));
  const words = before.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’._/-]*/gu) ?? [];
  const added = words.filter((word) => contentTerms(word).some((term) => !known.has(term)));
  return [question, ...added.slice(0, maxAddedWords)].join(' ');
}

const maxAddedWords = 12;

function isFollowUp(question: string): boolean {
  const terms = new Set(contentTerms(question));
  return terms.size <= 1 || followUpOpening.test(question) || pronoun.test(question);
}

const followUpOpening =
  /^\s*(?:and|but|so|or|also|then|what about|how about|what if|und|aber|oder|was ist mit|y|pero|et|mais|e|а|и|но|那|那么|それで|では)(?![\p{L}\p{M}])/iu;
const pronoun =
  /(?<![\p{L}\p{M}])(?:it|its|they|them|their|this|that|these|those|he|him|his|she|her|hers|there|one|ones|same|both|either|else|er|sie|ihn|ihm|ihr|ihre|dies|diese|dieser|dieses|dort|dafür|davon|esto|eso|ese|esa|él|ella|ellos|ellas|allí|il|elle|ils|elles|cela|ça|celui|celle|он|она|оно|они|его|её|их|это|этот|эта|там)(?![\p{L}\p{M}])|它|他们|她|这个|那个|それ|これ/iu;
