import { cleanText } from './clean-text.ts';
import { type Block, ExtractError, type ExtractedText } from './extracted-text.ts';

/** Collects blocks in reading order into one text. */
export interface TextBuilder {
  /** Cleans and adds a block; a block without a letter, digit or symbol is left out. */
  add(kind: Block['kind'], raw: string, at?: { level?: number; page?: number }): void;
  /** Throws `ExtractError` `EMPTY_TEXT` when nothing was added. */
  build(): ExtractedText;
}

/** Throws `ExtractError` `TOO_LARGE` from `add` once the text passes `maxCharacters` UTF-16 units. */
export function createTextBuilder(maxCharacters: number): TextBuilder {
  const parts: string[] = [];
  const blocks: Block[] = [];
  let length = 0;
  return {
    add(kind, raw, at = {}) {
      const text = trimBlock(cleanText(raw));
      if (!/[\p{L}\p{N}\p{S}]/u.test(text.replaceAll('\ufffd', ''))) return;
      const separator = separatorBetween(blocks.at(-1)?.kind, kind);
      const start = length + separator.length;
      length = start + text.length;
      if (length > maxCharacters) {
        throw new ExtractError('TOO_LARGE', `The text is longer than ${maxCharacters} characters.`);
      }
      parts.push(separator, text);
      blocks.push({ kind, start, end: length, ...at });
    },
    build() {
      if (blocks.length === 0) {
        throw new ExtractError('EMPTY_TEXT', 'The file holds no text; scans need OCR first.');
      }
      return { text: parts.join(''), blocks };
    },
  };
}

/** Drops white space at line ends and around the block, but keeps the first line's indentation. */
function trimBlock(text: string): string {
  return text
    .replace(/(?<![^\S\n])[^\S\n]+(?=\n|$)/g, '')
    .replace(/^\n+/, '')
    .trimEnd();
}

function separatorBetween(previous: Block['kind'] | undefined, next: Block['kind']): string {
  if (previous === undefined) return '';
  const isTight = next === 'table-row' || next === 'list-item';
  return isTight && previous === next ? '\n' : '\n\n';
}
