import { type Titles, titledRow } from './table-rows.ts';

/** Words that read as one thing; characters of scripts without spaces count half a word each. */
export function wordCount(text: string): number {
  const dense = text.match(unspaced)?.length ?? 0;
  return Math.ceil(dense / 2) + (text.replace(unspaced, ' ').match(/\S+/g)?.length ?? 0);
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Without footnote numbers of the source's own, which would read as markers of ours. */
export function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?\[\d{1,4}\]/g, '')
    .replace(/^#{1,6} /, '')
    .trim();
}

/** Closed by a full stop of its script, unless it has one. */
export function closed(text: string): string {
  const bare = text.replace(/[\s,;:，；：、]+$/u, '');
  if (/[.!?…。！？।؟]["'”’»」)\]]*$/u.test(bare)) {
    return bare;
  }
  return (
    bare + (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(bare) ? '。' : '.')
  );
}

const maxRunWords = 50;

/** A list as its items, and as runs of items that are short enough to be read at once, after its lead-in. */
export function listTexts(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines;
  const isLed = rest.length > 0 && /[:：]$/u.test(first);
  const lead = isLed && wordCount(first) <= 25 ? `${first} ` : '';
  const items = (isLed ? rest : lines).map(withoutBullet).filter(Boolean);
  return withRuns(items, maxRunWords - wordCount(lead)).map((item) => lead + item);
}

/** Neighbours joined to at most `maxWords`, and each alone unless they are few enough to be one. */
function withRuns(items: readonly string[], maxWords: number): string[] {
  const runs: string[] = [];
  for (const item of items) {
    const joined = `${runs.at(-1)?.replace(/[.;,]$/, '')}; ${item}`;
    if (runs.length > 0 && wordCount(joined) <= maxWords) {
      runs[runs.length - 1] = joined;
    } else {
      runs.push(item);
    }
  }
  return runs.length === 1 ? runs : [...new Set([...runs, ...items])];
}

function withoutBullet(line: string): string {
  return line.replace(
    /^(?:[-*+•‣▪◦–·]|\p{Nd}{1,3}[.)]|\p{L}[.)]|\([\p{L}\p{Nd}]{1,3}\))\s+(?:\[[ x]\]\s)?/u,
    '',
  );
}

/**
 * Rows as `Column: value; …` by the titles above them, or cells that end in a colon name the next ones. A form, whose
 * rows belong together, also in runs of rows.
 */
export function tableTexts(rows: readonly string[], titles: Titles): string[] {
  const isForm = rows.length > 1 && rows.every((row) => /[:：](?: \| |\t)/u.test(row));
  return isForm
    ? withRuns(rows.map(pairs), maxRunWords)
    : rows.map((row) => titledRow(row, titles) ?? pairs(row));
}

function pairs(row: string): string {
  return row.replace(/(?<=[:：])(?: \| |\t)/gu, ' ').replace(/ \| |\t/g, '; ');
}

const maxPairWords = 45;

/** A sentence that begins with "It" or "These" says nothing without the one before. */
export function withAntecedent(text: string, before: string | undefined): string {
  const pair = `${before} ${text}`;
  const isPairUseful = before && refersBack.test(text) && wordCount(pair) <= maxPairWords;
  return isPairUseful ? pair : text;
}

const refersBack =
  /^(?:it|its|this|these|those|they|their|such|he|she|his|her|er|sie|es|dies\p{L}*|sein\p{L}*|ihr\p{L}*|esto|este|esta|estos|estas|il|elle|ils|elles|ce|cette|ces|он|она|оно|они|это|эти|его)\s/iu;
