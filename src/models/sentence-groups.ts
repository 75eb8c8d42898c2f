import { endsSentence, wordCount } from '../text/readable-text.ts';
import type { Sentence } from '../text/sentences.ts';

/** Adjacent sentences of one kind. A list also includes the sentence before it if that ends with a colon. */
export interface SentenceGroup {
  readonly kind: Sentence['kind'];
  readonly sentences: Sentence[];
}

/** Groups adjacent sentences of one kind. */
export function groupsOf(sentences: readonly Sentence[]): SentenceGroup[] {
  const groups: SentenceGroup[] = [];
  for (const sentence of sentences) {
    const last = groups.at(-1);
    const lead = last?.kind === 'sentence' ? last.sentences.at(-1) : undefined;
    const isLeadIn = sentence.kind === 'sentence' && leadInPattern.test(sentence.text);
    const wasLeadIn = last !== undefined && isHeading(last);
    if (last?.kind === sentence.kind && isLeadIn === wasLeadIn) {
      last.sentences.push(sentence);
    } else if (sentence.kind === 'list-item' && lead && /[:：]$/.test(lead.text)) {
      groups.push({ kind: 'list-item', sentences: [lead, sentence] });
    } else {
      groups.push({ kind: sentence.kind, sentences: [sentence] });
    }
  }
  return groups.flatMap((group, index) => splitNumberedHeading(group, index === groups.length - 1));
}

/**
 * Whether the group counts as a heading. A question, or a sentence that ends with a colon, does, because it only states
 * the topic of the text after it.
 */
export function isHeading({ kind, sentences }: SentenceGroup): boolean {
  return (
    kind === 'heading' ||
    (kind === 'sentence' && sentences.every(({ text }) => leadInPattern.test(text)))
  );
}

const leadInPattern = /[?？؟:：]["'”’»」)]*$/u;

const maxHeadingWords = 14;

/** Separates a numbered heading, such as "7. Refunds", from the bullets below it. */
function splitNumberedHeading(group: SentenceGroup, isLast: boolean): SentenceGroup[] {
  const [first, ...rest] = group.sentences;
  const isHeading =
    group.kind === 'list-item' &&
    first !== undefined &&
    numberPattern.test(first.text) &&
    !/[:：;,]$/u.test(first.text) &&
    (!endsSentence(first.text) || /[?？؟]$/u.test(first.text)) &&
    wordCount(first.text) <= maxHeadingWords &&
    (rest.length > 0 || !isLast) &&
    rest.every(({ text }) => !numberPattern.test(text));
  if (!isHeading) return [group];
  const heading: SentenceGroup = { kind: 'heading', sentences: [first] };
  return rest.length === 0 ? [heading] : [heading, { ...group, sentences: rest }];
}

const numberPattern = /^\p{Nd}{1,3}[.)]\s/u;
