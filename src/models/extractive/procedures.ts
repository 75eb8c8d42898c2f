import { markerOf } from '../../text/list-items.ts';
import type { TextSentence } from './attach-code.ts';

/** Maximum number of texts between two steps. */
const maxBetween = 6;

/**
 * Appends the texts between the numbered steps of a procedure, such as commands and warnings, to the step before them.
 * So the steps become one list: "1. Stop the server: docker compose down 2. …".
 */
export function joinProcedures(sentences: readonly TextSentence[]): readonly TextSentence[] {
  const joined: TextSentence[] = [];
  let at = 0;
  while (at < sentences.length) {
    const steps = stepsFrom(sentences, at);
    const sentence = sentences[at];
    if (steps !== null) {
      joined.push(...steps.texts);
      at = steps.end;
    } else {
      if (sentence !== undefined) joined.push(sentence);
      at += 1;
    }
  }
  return joined;
}

/**
 * Returns the steps of a procedure that starts at a sentence, and the position after them. Returns null if there is no
 * text between the steps.
 */
function stepsFrom(
  sentences: readonly TextSentence[],
  start: number,
): { readonly texts: TextSentence[]; readonly end: number } | null {
  if (numberOf(sentences[start]) !== 1) return null;
  const starts = [start];
  for (let at = start + 1; at < sentences.length; at += 1) {
    const last = starts.at(-1) ?? start;
    const number = numberOf(sentences[at]);
    if (number === starts.length + 1) starts.push(at);
    else if (number !== null || at - last > maxBetween || !mayBeBetween(sentences, at)) break;
  }
  const last = starts.at(-1) ?? start;
  const end = isOpen(sentences[last]) && last + 1 < sentences.length ? last + 2 : last + 1;
  const hasText = sentences.slice(start, end).some(({ kind }) => kind !== 'list-item');
  if (starts.length < 2 || !hasText) return null;
  const texts = starts.flatMap((from, index) => {
    const step = sentences[from];
    const parts = sentences.slice(from, starts[index + 1] ?? end).map(({ text }) => textOf(text));
    return step === undefined ? [] : [{ ...step, text: parts.join(' ') }];
  });
  return { texts, end };
}

/**
 * Whether a sentence may be between two steps. A heading ends the procedure, unless it is a command that only looks
 * like a heading.
 */
function mayBeBetween(sentences: readonly TextSentence[], at: number): boolean {
  const { kind = 'heading', text = '' } = sentences[at] ?? {};
  if (kind === 'table-row' || /[?？]$/.test(text)) return false;
  return kind !== 'heading' || isOpen(sentences[at - 1]) || /^[$>#] |[/=_{}]/.test(text);
}

function isOpen(sentence: TextSentence | undefined): boolean {
  return /[:：]$/.test(sentence?.text ?? '');
}

function numberOf(sentence: TextSentence | undefined): number | null {
  if (sentence?.kind !== 'list-item') return null;
  const number = /^\s*(\d{1,2})[.)]\s/.exec(sentence.text)?.[1];
  return number === undefined ? null : Number(number);
}

/** Removes shell prompts, and the markup of notes in Markdown dialects. */
function textOf(text: string): string {
  const isStep = markerOf(text) !== '';
  return isStep ? text : text.replace(/^\$ /, '').replace(/^:::\w* |\s:::$/g, '');
}
