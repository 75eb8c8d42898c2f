import { wordCount } from '../../text/readable-text.ts';
import type { Sentence } from '../../text/sentences.ts';

/** A sentence of any kind except code. */
export interface TextSentence extends Sentence {
  readonly kind: Exclude<Sentence['kind'], 'code'>;
}

/**
 * Appends code, such as commands, to the text that it belongs to: the sentence or step before it, or else the heading
 * above it. A heading stays and is repeated before its code.
 */
export function attachCode(sentences: readonly Sentence[]): readonly TextSentence[] {
  const attached: TextSentence[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const { kind } = sentence;
    const before = attached.at(-1);
    if (kind !== 'code') {
      attached.push({ ...sentence, kind });
    } else if (before?.kind === 'sentence' || before?.kind === 'list-item') {
      const isAfterCode = sentences[index - 1]?.kind === 'code';
      const lead = isAfterCode ? before.text : withColon(before.text);
      attached[attached.length - 1] = { ...before, text: `${lead} ${lineOf(sentence.text)}` };
    } else {
      const title = before?.kind === 'heading' ? `${withColon(before.text)} ` : '';
      const text = `${title}${lineOf(sentence.text)}`;
      attached.push({ ...sentence, kind: 'sentence', text, startsParagraph: true });
    }
  }
  return attached;
}

/** Appends a colon, unless the text ends with punctuation. */
function withColon(text: string): string {
  return /[\p{L}\p{Nd})\]"'”’]$/u.test(text) ? `${text}:` : text;
}

const maxCodeWords = 60;

/** Returns code on one line. Long code is cut. */
function lineOf(code: string): string {
  const lines = code
    .split('\n')
    .map((line) => line.trim().replace(/^\$ /, ''))
    .filter((line) => line !== '');
  let words = 0;
  const shown = lines.findIndex((line) => {
    words += wordCount(line);
    return words > maxCodeWords;
  });
  return shown <= 0 ? lines.join(' ') : `${lines.slice(0, shown).join(' ')} …`;
}
