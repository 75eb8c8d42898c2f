/**
 * Truncates the longest texts evenly, until all texts together fit into `totalBytes` as JSON strings in UTF-8.
 * Truncated texts end with `…`. Order and number of texts stay the same.
 */
export function truncateContents(contents: readonly string[], totalBytes: number): string[] {
  const limit = fairShareLimit(contents.map(jsonBytes), totalBytes);
  return contents.map((content) =>
    jsonBytes(content) <= limit ? content : truncate(content, limit),
  );
}

/**
 * Returns the maximum size of one text. Every text gets an equal share of the total. What short texts do not use of
 * their share is divided among the longer ones.
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
  let remaining = limitBytes - jsonBytes('…');
  let end = 0;
  for (const character of content) {
    remaining -= jsonBytes(character) - quoteBytes;
    if (remaining < 0) break;
    end += character.length;
  }
  return `${content.slice(0, end)}…`;
}

const quoteBytes = 2;

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
