import { endsSentence, withFullStop, wordCount } from './readable-text.ts';

/** A list, converted to text on one line. */
export interface ListText {
  /** The introduction, including its colon. Empty if there is none. */
  readonly lead: string;
  /** Text of each item without its bullet. Includes the text of nested items. */
  readonly items: readonly string[];
  /** Whether the items are numbered steps. A single step is hardly useful without the others. */
  readonly isOrdered: boolean;
  /**
   * Introduction and items as one text. Ends with "…" if items are left out. Null if only a small part of the list
   * fits.
   */
  readonly whole: string | null;
}

const maxItems = 12;
const maxWords = 120;
const maxLeadWords = 45;
/** A list is shortened only if at least this many items remain. Otherwise it has no text as a whole. */
const minItemsLeft = 4;

/**
 * Reads the lines of a list. The first line may be an introduction that ends with a colon. A line without a bullet
 * continues the previous item. Bullets are nested if they are below a numbered item, or below an item that ends with a
 * colon.
 */
export function readList(lines: readonly string[]): ListText {
  const [first = '', ...rest] = lines;
  const hasLead = rest.length > 0 && leadPattern.test(first) && markerOf(first) === '';
  const entries = nestEntries(hasLead ? rest : lines).filter(({ text }) => !leadPattern.test(text));
  const lead = hasLead && wordCount(first) <= maxLeadWords ? first : '';
  const isOrdered = entries.length > 1 && entries.every(({ marker }) => isNumber(marker));
  const items = entries.map(({ text }) => text);
  const numbered = isOrdered ? entries.map(({ marker, text }) => `${marker} ${text}`) : items;
  return { lead, items, isOrdered, whole: wholeList(lead, numbered) };
}

/** Returns the introduction and one or more items as one text. */
export function joinItems(lead: string, items: readonly string[]): string {
  const hasSentences = items.some((item) => /[.!?]\s+\p{Lu}|[。！？]./u.test(item.slice(3)));
  const joined = hasSentences
    ? items.map(withFullStop).join(' ')
    : items.map((item, index) => (index < items.length - 1 ? withoutEnd(item) : item)).join('; ');
  return lead === '' ? joined : `${lead} ${joined}`;
}

function wholeList(lead: string, items: readonly string[]): string | null {
  let words = wordCount(lead);
  const fitting = items.slice(0, maxItems).findIndex((item) => {
    words += wordCount(item);
    return words > maxWords;
  });
  const count = fitting === -1 ? Math.min(items.length, maxItems) : fitting;
  if (items.length === 0 || (count < items.length && count < minItemsLeft)) return null;
  const text = joinItems(lead, items.slice(0, count));
  return count < items.length ? `${withoutEnd(text)} …` : text;
}

interface Entry {
  readonly marker: string;
  readonly text: string;
}

function nestEntries(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const marker = markerOf(line);
    const text = line.slice(marker.length).replace(checkboxPattern, '').trim();
    const parent = entries.at(-1);
    if (text === '') continue;
    if (parent && (marker === '' || isNested(parent, marker))) {
      entries[entries.length - 1] = { ...parent, text: joinNested(parent.text, text) };
    } else {
      entries.push({ marker: marker.trim(), text });
    }
  }
  return entries;
}

function isNested(parent: Entry, marker: string): boolean {
  return isNumber(parent.marker) && !isNumber(marker);
}

function joinNested(parent: string, text: string): string {
  const isOpen = leadPattern.test(parent) || endsSentence(parent);
  return isOpen ? `${parent} ${text}` : `${withoutEnd(parent)}, ${text}`;
}

function isNumber(marker: string): boolean {
  return /^\(?[\p{Nd}\p{L}]/u.test(marker);
}

/**
 * Returns the bullet or number at the start of a line, including the space after it. Returns an empty string if there
 * is none.
 */
export function markerOf(line: string): string {
  return markerPattern.exec(line)?.[0] ?? '';
}

function withoutEnd(text: string): string {
  return text.replace(/[.;,；，。]$/u, '');
}

const markerPattern = /^(?:[-*+•‣▪◦–·\uFFFD]|\p{Nd}{1,3}[.)]|\p{L}[.)]|\([\p{L}\p{Nd}]{1,3}\))\s+/u;
const checkboxPattern = /^\[[ x]\]\s/u;
const leadPattern = /[:：]$/u;
