import { wordCount } from '../../text/readable-text.ts';
import { rowText, type TableRow } from '../../text/row-text.ts';
import { type ColumnTitles, readRecords, readTitledRow } from '../../text/table-rows.ts';

export interface RowText {
  readonly text: string;
  /** Null if the row has no column titles. */
  readonly row: TableRow | null;
}

/**
 * Returns table rows as texts. If each row has a cell that ends in a colon, the rows are a form. The rows of a form
 * belong together, so adjacent rows are also joined.
 */
export function rowTexts(rows: readonly string[], titles: ColumnTitles): RowText[] {
  const isForm = rows.length > 1 && rows.every((row) => /[:：](?: \| |\t)/u.test(row));
  if (isForm) return joinShortTexts(rows.map(rowAsPairs)).map((text) => ({ text, row: null }));
  const records = readRecords(rows);
  return rows.map((line, index) => {
    const row = records?.[index] ?? readTitledRow(line, titles);
    return row === null ? { text: rowAsPairs(line), row } : { text: rowText(row), row };
  });
}

const maxJoinedWords = 50;

/** Joins adjacent texts up to `maxJoinedWords`. Unless all texts fit into one, also returns each single text. */
function joinShortTexts(texts: readonly string[]): string[] {
  const runs: string[] = [];
  for (const text of texts) {
    const joined = `${runs.at(-1)?.replace(/[.;,]$/, '')}; ${text}`;
    if (runs.length > 0 && wordCount(joined) <= maxJoinedWords) {
      runs[runs.length - 1] = joined;
    } else {
      runs.push(text);
    }
  }
  return runs.length === 1 ? runs : [...new Set([...runs, ...texts])];
}

/** Returns a row without titles in the form `cell; cell`. A cell that ends in a colon is the title of the next cell. */
function rowAsPairs(row: string): string {
  const paired = row.replace(/(?<=[:：])(?: \| |\t)/gu, ' ');
  return paired
    .split(/ \| |\t/)
    .filter((cell) => cell.trim() !== '')
    .join('; ');
}
