import { cleanText } from './clean-text.ts';
import {
  type Block,
  ExtractError,
  type ExtractedText,
  type ExtractWarning,
  type ExtractWarningCode,
} from './extracted-text.ts';

/** Receives blocks in reading order. */
export interface BlockSink {
  /**
   * Normalizes the text of a block and adds the block. Skips a block without any letter, digit or symbol.
   * @throws ExtractError TOO_LARGE when the text exceeds the limit.
   */
  add(kind: Block['kind'], raw: string, position?: BlockPosition): void;
}

/** Joins blocks into one text. The blocks must be added in reading order. */
export interface TextBuilder extends BlockSink {
  /** Adds a warning about content that is missing in the text. If `message` is null, does nothing. */
  warn(code: ExtractWarningCode, message: string | null): void;
  /**
   * Returns the text, its blocks and the warnings.
   * @throws ExtractError EMPTY_TEXT when no block was added.
   */
  build(): ExtractedText;
}

/** Place of a block in the structure of the document. */
export type BlockPosition = Pick<Block, 'level' | 'page' | 'isItemPart'>;

/**
 * Creates a builder. `maxCharacters` limits the text in UTF-16 code units.
 * @param emptyMessage message of the error EMPTY_TEXT.
 */
export function createTextBuilder(
  maxCharacters: number,
  emptyMessage = 'The file contains no text.',
): TextBuilder {
  const parts: string[] = [];
  const blocks: Block[] = [];
  const warnings: ExtractWarning[] = [];
  let length = 0;
  return {
    add(kind, raw, position = {}) {
      const text = trimBlock(cleanText(raw));
      if (!hasContent(text)) return;
      const separator = separatorBetween(blocks.at(-1)?.kind, kind);
      const start = length + separator.length;
      length = start + text.length;
      if (length > maxCharacters) {
        throw new ExtractError('TOO_LARGE', `The text is longer than ${maxCharacters} characters.`);
      }
      parts.push(separator, text);
      blocks.push({ kind, start, end: length, ...position });
    },
    warn(code, message) {
      if (message !== null) warnings.push({ code, message });
    },
    build() {
      if (blocks.length === 0) {
        throw new ExtractError('EMPTY_TEXT', emptyMessage);
      }
      return { text: parts.join(''), blocks, ...(warnings.length > 0 && { warnings }) };
    },
  };
}

/** Whether the text contains a letter, digit or symbol. Replacement characters do not count. */
export function hasContent(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text.replaceAll('\ufffd', ''));
}

/** Removes white space at line ends and empty lines around the block. Keeps the indentation of the first line. */
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
