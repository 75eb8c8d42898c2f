/**
 * Matches characters that would be markup. Also matches web addresses, which stay unchanged because Markdown reads them
 * as addresses.
 */
const addressOrMarkup =
  /(?<![\p{L}\p{N}])https?:\/\/[a-z0-9][a-z0-9.-]{0,252}(?::\d{1,5})?[/?#][^\s<>()[\]`\\|]{0,2000}|[\\`*[\]<>~]|(?<!\S)#+|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,32};)/giu;

/** Escapes characters that would be markup within a line. */
export function escapeInline(text: string): string {
  return text.replace(addressOrMarkup, (found) =>
    /^https?:/i.test(found) ? found : found.replace(/./g, '\\$&'),
  );
}

/** Escapes characters that would start a block. The inline markup of the line must already be escaped. */
export function escapeBlockStart(line: string): string {
  return line.replace(/^([-+=])/, '\\$1').replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

/** Returns a Markdown code block. Its fence is longer than any fence in the code. */
export function fencedCode(text: string): string {
  const fence = backticks(text, 3);
  return `${fence}\n${text}\n${fence}`;
}

/** Returns inline code in Markdown. */
export function inlineCode(text: string): string {
  const fence = backticks(text, 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

export function tableRow(cells: readonly string[], isFirst: boolean): string {
  const row = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return isFirst ? `${row}\n|${' --- |'.repeat(cells.length)}` : row;
}

/** Returns a fence of at least `min` backticks. The text contains no such fence. */
function backticks(text: string, min: number): string {
  let longest = min - 1;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}
