import { sentenceSpans } from '../../text/sentence-spans.ts';
import type { ExtractedText } from '../extracted-text.ts';

/** Maximum UTF-16 units of a lead without a colon. */
export const maxLeadLength = 240;
const maxTitleLength = 80;

/**
 * Whether the block introduces the block after it: it is a title, or a lead such as `You need:`. A block of the kind
 * heading never counts.
 */
export function isLeadBlock({ text, blocks }: ExtractedText, index: number): boolean {
  const [block, next] = [blocks[index], blocks[index + 1]];
  if (block === undefined || next === undefined) return false;
  if (block.kind !== 'paragraph' && block.kind !== 'list-item') return false;
  const content = text.slice(block.start, block.end);
  if (next.kind === 'heading') return index === 0 && looksLikeTitle(content);
  if (endsWithColon(content)) return true;
  if (block.kind === 'list-item' || block.isItemPart === true) return false;
  return looksLikeTitle(content) || (next.kind === 'list-item' && content.length <= maxLeadLength);
}

export function endsWithColon(text: string): boolean {
  return /[:：]\s*$/.test(text.slice(-4));
}

/** Whether a paragraph looks like a title: one short line without punctuation at the end. */
function looksLikeTitle(text: string): boolean {
  if (text.length > maxTitleLength || text.includes('\n')) return false;
  return /\p{L}/u.test(text) && !/[.!?;,。！？；，、।؟…]["'”’»)\]]*$/u.test(text);
}

/** Returns the offset of the last sentence of a text. */
export function lastSentenceStart(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  return line + (sentenceSpans(text.slice(line)).at(-1)?.start ?? 0);
}

/** Returns the last sentence of the text that introduces a chunk, without the bullet or number of a list item. */
export function leadSentence(text: string): string {
  return text.slice(lastSentenceStart(text)).replace(markerPattern, '');
}

const markerPattern = /^\s*(?:[-*+•◦▪●○■□–·‣⁃]|\(?[\p{L}\p{N}]{1,4}[.)])\s+(?:\[[ x]\]\s+)?/u;
