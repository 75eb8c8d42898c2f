import { nameSameDay } from '../../text/keys.ts';
import { withFullStop, wordCount } from '../../text/readable-text.ts';
import { askedSections } from '../../text/section-numbers.ts';
import { asksForConfirmation, asksForOneFact, asksForSteps } from './answer-type.ts';
import { asksForPerson, namesPerson } from './asked-person.ts';
import { addFurther, isInSameSection, isWorthIt } from './further-candidates.ts';
import { bestOfParts } from './question-parts.ts';
import { isInstruction, type RankedCandidate } from './rank-candidates.ts';
import { haveSameForm } from './sentence-form.ts';
import { shownText } from './shown-text.ts';
import { yesNoLead } from './yes-no.ts';

/**
 * Returns an answer in the words of the sources, with citation markers. It is one of these:
 *
 * - the rows of a table that the question asks for by a value, or the best candidate for each part of the question;
 * - the best list, its steps, or the answer of an entry of questions and answers;
 * - the best sentence or row with what follows in its section, and up to two others that are nearly as good, best first.
 *
 * `written` is the question as the user wrote it. `question` may also contain words of the conversation.
 */
export function composeReply(
  question: string,
  ranked: readonly RankedCandidate[],
  written = question,
): string {
  const sections = askedSections(question);
  const withText = (candidate: RankedCandidate, text: string) => ({
    ...candidate,
    text: withAskedHeading(sections, candidate, text),
  });
  const shown = (candidate: RankedCandidate) =>
    withText(candidate, shownText(question, candidate, written));
  const rows = ranked.filter(({ isAskedRow }) => isAskedRow);
  if (rows.length > 0) return cite(withHeadings(rows.map(shown)));
  const parts = bestOfParts(written, ranked);
  if (parts.length > 1) return cite(parts.map(shown));
  const [first, ...others] = ranked;
  if (first === undefined) return '';
  const block = blockOf(written, first, others);
  const best = block === null ? shown(first) : withText(first, block);
  const isWhole = first.kind === 'list' || first.kind === 'steps' || first.askedAbove.length > 0;
  if (isWhole) return cite([best]);
  const mayBeLimited = asksForConfirmation(question) || asksForOneFact(question);
  const limit = mayBeLimited ? others.find((other) => isLimitOf(best, other)) : undefined;
  const chosen = limit === undefined ? [best] : [best, limit];
  const further = others
    .filter((other) => isWorthIt(question, first, other, block !== null))
    .map(shown);
  return cite(addFurther(question, chosen, further));
}

/** Prepends the heading to a text if the question names its section by the number: "What is article 42 about?" */
function withAskedHeading(
  asked: readonly string[],
  { sections, heading }: RankedCandidate,
  text: string,
): string {
  const isAsked = heading !== '' && asked.some((number) => sections.includes(number));
  return isAsked ? `${heading}: ${text}` : text;
}

function cite(chosen: readonly Pick<RankedCandidate, 'text' | 'source'>[]): string {
  return chosen.map(({ text, source }) => `${withFullStop(text)} [${source}]`).join(' ');
}

/** Puts the heading above each row before it, if the rows are below several headings, such as weekdays. */
function withHeadings(rows: readonly RankedCandidate[]): readonly RankedCandidate[] {
  const isOne = rows.every(({ heading }) => heading === rows[0]?.heading);
  return isOne ? rows : rows.map((row) => ({ ...row, text: `${row.heading}: ${row.text}` }));
}

/**
 * Whether a text limits the statement of the best text: it follows directly, is short, and starts with "however" or
 * "but".
 */
function isLimitOf(best: RankedCandidate, other: RankedCandidate): boolean {
  const isNext = other.source === best.source && other.position === best.position + 1;
  return isNext && other.isLimitation && wordCount(other.text) <= maxLimitWords;
}

const maxLimitWords = 25;

/**
 * Returns the block of the best candidate, or null if its sentence is enough. The answer of an entry of questions and
 * answers is shown from its beginning, another block from its best sentence on.
 */
function blockOf(
  question: string,
  best: RankedCandidate,
  others: readonly RankedCandidate[],
): string | null {
  const { block, text, askedAbove } = best;
  if (block === null || isSentenceEnough(question, best, others)) return null;
  if (askedAbove.length > 0) return block;
  const start = asksForSteps(question) ? firstStep(best, others) : best;
  const at = block.indexOf(start.text);
  return at === -1 ? text : block.slice(at);
}

/** Returns the first of the instructions that directly precede an instruction in its section, or the instruction. */
function firstStep(best: RankedCandidate, others: readonly RankedCandidate[]): RankedCandidate {
  const before = others.find(
    (other) => isInSameSection(best, other) && other.position === best.position - 1,
  );
  return before !== undefined && isInstruction(before.text) ? firstStep(before, others) : best;
}

/**
 * Whether the best sentence answers the question without the other sentences of its block: it contains the fact or the
 * person that the question asks for, it decides a yes/no question, or other sentences of the block say the same about
 * other things, such as "The head of HR is Lena" and "The head of IT is Omar".
 */
function isSentenceEnough(
  question: string,
  best: RankedCandidate,
  others: readonly RankedCandidate[],
): boolean {
  if (best.kind !== 'sentence' || yesNoLead(question, best) !== null) return true;
  if (best.hasAnswerType && asksForOneFact(question)) return true;
  if (asksForPerson(question) && namesPerson(best.text, question)) return true;
  if (nameSameDay(question, best.text)) return true;
  return others.some(
    (other) => isInSameSection(best, other) && haveSameForm(best.text, other.text),
  );
}
