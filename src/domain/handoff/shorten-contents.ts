/**
 * Cuts the longest of the texts, evenly, until all together take no more than `totalBytes` as JSON strings in
 * UTF-8. What was cut ends with `…`. Order and number stay.
 */
export function shortenContents(contents: readonly string[], totalBytes: number): string[] {
  const limit = evenLimit(contents.map(jsonBytes), totalBytes);
  return contents.map((content) => (jsonBytes(content) <= limit ? content : cut(content, limit)));
}

/** The most that each may take: what short ones leave of an equal share goes to the long ones. */
function evenLimit(sizes: readonly number[], total: number): number {
  let left = total;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function cut(content: string, limitBytes: number): string {
  let left = limitBytes - jsonBytes('…');
  let end = 0;
  for (const character of content) {
    left -= jsonBytes(character) - quotesBytes;
    if (left < 0) break;
    end += character.length;
  }
  return `${content.slice(0, end)}…`;
}

const quotesBytes = 2;

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
