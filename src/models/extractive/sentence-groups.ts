import { endsSentence, wordCount } from '../../text/readable-text.ts';
import type { Sentence } from '../../text/sentences.ts';
import { attachCode, type TextSentence } from './attach-code.ts';
import { joinProcedures } from './procedures.ts';

/**
 * Adjacent sentences of one kind, of prose those of one paragraph. A list also includes the sentence before it, if this
 * sentence ends with a colon.
 */
export interface SentenceGroup {
  readonly kind: TextSentence['kind'];
  readonly sentences: TextSentence[];
}

/** Groups adjacent sentences of one kind. */
export function groupsOf(sentences: readonly Sentence[]): SentenceGroup[] {
  const groups: SentenceGroup[] = [];
  for (const sentence of joinProcedures(attachCode(sentences))) {
    const last = groups.at(-1);
    const lead = last?.kind === 'sentence' ? last.sentences.at(-1) : undefined;
    const isLeadIn = sentence.kind === 'sentence' && leadInPattern.test(sentence.text);
    const wasLeadIn = last !== undefined && isHeading(last);
    const isSameBlock = last?.kind === sentence.kind && sentence.startsParagraph !== true;
    if (isSameBlock && isLeadIn === wasLeadIn) {
      last.sentences.push(sentence);
    } else if (sentence.kind === 'list-item' && lead && /[:：]$/.test(lead.text)) {
      groups.push({ kind: 'list-item', sentences: [lead, sentence] });
    } else {
      groups.push({ kind: sentence.kind, sentences: [sentence] });
    }
  }
  return joinLeadIns(
    groups.flatMap((group, index) => splitNumberedHeadings(group, index === groups.length - 1)),
  );
}

/** Minimum number of words that an introduction needs to be useful without the text after it. */
const minLeadInWords = 8;

/**
 * Appends the following text, for example a command, to an introduction that ends with a colon. If there is no such
 * text, the introduction becomes a sentence, provided that it is long enough.
 */
function joinLeadIns(groups: readonly SentenceGroup[]): SentenceGroup[] {
  return groups.flatMap((group, index) => {
    const lead = group.sentences.at(-1);
    const next = groups[index + 1];
    const isOpen = group.kind === 'sentence' && lead !== undefined && isIntroduction(lead, next);
    if (!isOpen || next?.kind === 'list-item' || next?.kind === 'table-row') return [group];
    const [first] =
      next === undefined || isQuestionOrLeadIn(next) ? [] : next.sentences.filter(hasWord);
    const text = first === undefined ? lead.text.slice(0, -1) : `${lead.text} ${first.text}`;
    // If the blocks are known, the text after a last introduction is in the next chunk.
    const isCut = lead.startsParagraph !== undefined && next === undefined;
    const isUseful = first !== undefined || (wordCount(text) >= minLeadInWords && !isCut);
    if (!isUseful) return [group];
    const joined: SentenceGroup = { kind: 'sentence', sentences: [{ ...lead, text }] };
    const others = { ...group, sentences: group.sentences.slice(0, -1) };
    return isLeadIn(lead)
      ? [group, joined]
      : [...(others.sentences.length > 0 ? [others] : []), joined];
  });
}

function isLeadIn({ text }: TextSentence): boolean {
  return leadInPattern.test(text);
}

/**
 * Whether a sentence introduces the text after it. It ends with a colon, or it is an unfinished sentence before a
 * command, such as "To merge all files, run".
 */
function isIntroduction({ text }: TextSentence, next: SentenceGroup | undefined): boolean {
  const isUnfinished = !endsSentence(text) && !/[,;]$/u.test(text);
  const first = next?.kind === 'heading' ? next.sentences[0] : undefined;
  return /[:：]$/u.test(text) || (isUnfinished && first !== undefined && isCommand(first.text));
}

/** Guesses whether a line is a shell command: it contains an option, or starts with a prompt or a known program. */
function isCommand(line: string): boolean {
  return commandPattern.test(line);
}

const commandPattern =
  /^(?:[$>] \S|(?:sudo )?(?:npm|npx|pnpm|yarn|node|pip3?|python3?|uv|cargo|go|git|docker|kubectl|helm|curl|wget|ssh|apt|apt-get|dnf|brew|dpkg|systemctl|psql|make) [\w.<[@/:-]|(?:\.{0,2}\/)?[a-z][\w./-]{0,40}(?: [^\s.!?]\S{0,80}){0,12} --?[a-z])/u;

function hasWord({ text }: TextSentence): boolean {
  return /\p{L}{2}/u.test(text);
}

/**
 * Whether the group counts as a heading. A question and a sentence that ends with a colon also count, because they only
 * name the topic of the text after them.
 */
export function isHeading(group: SentenceGroup): boolean {
  return group.kind === 'heading' || isQuestionOrLeadIn(group);
}

function isQuestionOrLeadIn({ kind, sentences }: SentenceGroup): boolean {
  return kind === 'sentence' && sentences.every(isLeadIn);
}

const leadInPattern = /[?？؟:：]["'”’»」)]*$/u;

const maxHeadingWords = 14;

/**
 * Separates numbered headings, such as "7. Refunds", from the bullets below them. The numbers belong to steps and not
 * to headings if there are several and they start at 1, or if the lines end with a colon or a full stop.
 */
function splitNumberedHeadings(group: SentenceGroup, isLast: boolean): SentenceGroup[] {
  const numbered = group.sentences.filter(({ text }) => numberPattern.test(text));
  const isMixed = numbered.length < group.sentences.length;
  const areSteps = numbered.length > 1 && /^1\P{Nd}/u.test(numbered[0]?.text ?? '');
  const areHeadings =
    group.kind === 'list-item' &&
    numbered.length > 0 &&
    numbered.every(({ text }) => isTitle(text)) &&
    (isMixed ? !areSteps : numbered.length === 1 && !isLast);
  return areHeadings ? group.sentences.flatMap(toHeadingOrItems) : [group];
}

function isTitle(text: string): boolean {
  return (
    !/[:：;,]$/u.test(text) &&
    (!endsSentence(text) || /[?？؟]$/u.test(text)) &&
    wordCount(text) <= maxHeadingWords
  );
}

/** Returns one group for each numbered heading, and one group for the items after it. */
function toHeadingOrItems(
  sentence: TextSentence,
  index: number,
  all: readonly TextSentence[],
): SentenceGroup[] {
  const isNumbered = ({ text }: TextSentence) => numberPattern.test(text);
  if (isNumbered(sentence)) return [{ kind: 'heading', sentences: [sentence] }];
  const before = all[index - 1];
  if (before !== undefined && !isNumbered(before)) return [];
  const end = all.findIndex((other, position) => position > index && isNumbered(other));
  return [{ kind: 'list-item', sentences: all.slice(index, end === -1 ? undefined : end) }];
}

const numberPattern = /^\p{Nd}{1,3}[.)]\s/u;
