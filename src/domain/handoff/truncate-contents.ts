import { lastWord } from '../../text/last-word.ts';
import { filterPart } from '../output-filter/filter-part.ts';

/**
 * Returns the contents of the messages. Truncates the longest contents evenly, until the contents of all messages
 * together fit into `totalBytes` as JSON strings in UTF-8. Truncated contents end with `…`. Truncated contents of the
 * assistant go through the output filter again.
 */
export function truncateContents(
  messages: readonly { readonly role: string; readonly content: string }[],
  totalBytes: number,
): string[] {
  const sizes = messages.map(({ content }) => jsonBytes(content));
  const limit = fairShareLimit(sizes, totalBytes);
  return messages.map(({ role, content }) => {
    if (jsonBytes(content) <= limit) return content;
    const start = truncate(content, limit - jsonBytes(' …') + quoteBytes);
    const part = role === 'ASSISTANT' ? filterPart(start, [content]) : start;
    return `${part}${endsInAddress(part) ? ' …' : '…'}`;
  });
}

/** Returns whether the text ends in a web address. A `…` directly after it would become part of the address. */
function endsInAddress(text: string): boolean {
  return /\/\/|www\./.test(lastWord(text));
}

/**
 * Returns the maximum size of one text. Every text gets an equal share of the total. Longer texts also share what the
 * short texts do not use.
 */
function fairShareLimit(sizes: readonly number[], total: number): number {
  let remaining = total;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(remaining / (sizes.length - index));
    if (size > share) return share;
    remaining -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function truncate(content: string, limitBytes: number): string {
  let remaining = limitBytes - quoteBytes;
  let end = 0;
  for (const character of content) {
    remaining -= jsonBytes(character) - quoteBytes;
    if (remaining < 0) break;
    end += character.length;
  }
  return content.slice(0, end);
}

const quoteBytes = 2;

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
