/** Web addresses, which Markdown reads as they are, and characters that would be markup. */
const addressOrMarkup =
  /(?<![\p{L}\p{N}])https?:\/\/[a-z0-9][a-z0-9.-]{0,252}(?::\d{1,5})?[/?#][^\s<>()[\]`\\|]{0,2000}|[\\`*[\]<>~]|(?<!\S)#+|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,32};)/giu;

/** Escapes what would be markup within a line. */
export function escapeInline(text: string): string {
  return text.replace(addressOrMarkup, (found) =>
    /^https?:/i.test(found) ? found : found.replace(/./g, '\\$&'),
  );
}

/** Escapes what would start a block, in a line whose inline markup is escaped. */
export function escapeBlockStart(line: string): string {
  return line.replace(/^([-+=])/, '\\$1').replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

/** Returns a code block. Its fence is longer than any in the code. */
export function fencedCode(text: string): string {
  const fence = backticks(text, 3);
  return `${fence}\n${text}\n${fence}`;
}

/** Returns code within a line. */
export function inlineCode(text: string): string {
  const fence = backticks(text, 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

export function tableRow(cells: readonly string[], isFirst: boolean): string {
  const row = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return isFirst ? `${row}\n|${' --- |'.repeat(cells.length)}` : row;
}

/** Returns a fence of at least `min` backticks that the text does not contain. */
function backticks(text: string, min: number): string {
  let longest = min - 1;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}
