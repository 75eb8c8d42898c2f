import { wordCount } from '../../text/readable-text.ts';
import type { Sentence } from '../../text/sentences.ts';

/**
 * Appends code, such as commands, to the text that it belongs to: the sentence or step before it, or else the heading
 * above it. A heading stays and is repeated before its code.
 */
export function attachCode(sentences: readonly Sentence[]): readonly Sentence[] {
  const attached: Sentence[] = [];
  for (const sentence of sentences) {
    const before = attached.at(-1);
    if (sentence.kind !== 'code') {
      attached.push(sentence);
    } else if (before?.kind === 'sentence' || before?.kind === 'list-item') {
      attached[attached.length - 1] = { ...before, text: joinCode(before.text, sentence.text) };
    } else {
      const title = before?.kind === 'heading' ? before.text : '';
      const text = title === '' ? lineOf(sentence.text) : joinCode(title, sentence.text);
      attached.push({ ...sentence, kind: 'sentence', text, startsParagraph: true });
    }
  }
  return attached;
}

function joinCode(text: string, code: string): string {
  const isOpen = /[\p{L}\p{Nd})\]"'”’]$/u.test(text);
  return `${text}${isOpen ? ':' : ''} ${lineOf(code)}`;
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
