/** Returns one CSV row as defined in RFC 4180, with every cell in quotes. A spreadsheet calculates none of the cells. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${withoutFormula(cell).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** First characters of formulas, also as full-width and small forms. */
const sign = '[=+\\-@＝＋－＠﹦﹢﹣﹫]';
/**
 * Characters that a spreadsheet may remove or ignore before a formula: white space, controls and invisible characters.
 */
const skipped = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula, as OWASP advises. A formula can start at
 * the beginning of the text, or after a character at which spreadsheets of some languages split the text.
 */
function withoutFormula(text: string): string {
  const guarded = text.replace(signRun, (run) => run.replace(cellStart, "$&'"));
  return formulaStart.test(guarded) ? `'${guarded}` : guarded;
}

const formulaStart = new RegExp(`^[${skipped}]*(?:${sign}|[\\t\\r\\n])`, 'u');
/** A run that is before a sign and contains separators. The look-behind makes the search linear. */
const signRun = new RegExp(`(?<![;${skipped}])[;${skipped}]+(?=${sign})`, 'gu');
/** A separator of cells, and the last line break. */
const cellStart = /[;\t]|[\r\n](?=[^;\t\r\n]*$)/g;
