import type { ParagraphNumbering } from './docx-styles.ts';
import { childElements, findElement, type XmlElement } from './xml-tree.ts';

/** Counts a document's numbered paragraphs, in document order. */
export interface DocxNumbering {
  /** The label Word would print, such as `2.1.` or `(b)`; `-` for a bullet. Counts the paragraph. */
  nextLabel(at: ParagraphNumbering): string;
}

interface Level {
  readonly format: string;
  /** With `%1` for the number of the outermost level and so on. */
  readonly template: string;
  readonly start: number;
}

interface Numbering {
  readonly abstractId: string;
  readonly startOverrides: ReadonlyMap<number, number>;
}

/** Reads `numbering.xml` (ISO/IEC 29500-1, 17.9). */
export function readDocxNumbering(part: XmlElement | null): DocxNumbering {
  const abstracts = new Map<string, Level[]>();
  for (const element of childElements(part ?? undefined, 'abstractNum')) {
    abstracts.set(element.attributes.abstractNumId ?? '', readLevels(element));
  }
  const numberings = new Map<string, Numbering>();
  for (const element of childElements(part ?? undefined, 'num')) {
    numberings.set(element.attributes.numId ?? '', readNumbering(element));
  }
  const counters = new Map<string, number[]>();
  const started = new Set<string>();
  return {
    nextLabel({ numberingId, level }) {
      const numbering = numberings.get(numberingId);
      const levels = abstracts.get(numbering?.abstractId ?? '') ?? [];
      const definition = levels[level];
      if (numbering === undefined || definition === undefined || definition.format === 'bullet') {
        return '-';
      }
      const counts = counters.get(numbering.abstractId) ?? [];
      const override = started.has(numberingId) ? undefined : numbering.startOverrides.get(level);
      started.add(numberingId);
      const count = override ?? (counts[level] ?? definition.start - 1) + 1;
      const next = [...levels.slice(0, level).map((outer, at) => counts[at] ?? outer.start), count];
      counters.set(numbering.abstractId, next);
      return definition.template.replace(/%(\d)/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        return formatNumber(next[at] ?? 1, levels[at]?.format ?? 'decimal');
      });
    },
  };
}

function readLevels(abstract: XmlElement): Level[] {
  const levels: Level[] = [];
  for (const element of childElements(abstract, 'lvl')) {
    const valueOf = (name: string) => findElement(element, name)?.attributes.val;
    levels[Number(element.attributes.ilvl ?? 0)] = {
      format: valueOf('numFmt') ?? 'decimal',
      template: valueOf('lvlText') ?? '',
      start: Number(valueOf('start') ?? 1),
    };
  }
  return levels;
}

function readNumbering(element: XmlElement): Numbering {
  const startOverrides = new Map<number, number>();
  for (const override of childElements(element, 'lvlOverride')) {
    const start = findElement(override, 'startOverride')?.attributes.val;
    if (start !== undefined)
      startOverrides.set(Number(override.attributes.ilvl ?? 0), Number(start));
  }
  const abstractId = findElement(element, 'abstractNumId')?.attributes.val ?? '';
  return { abstractId, startOverrides };
}

function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'upperRoman':
      return toRoman(value);
    case 'lowerRoman':
      return toRoman(value).toLowerCase();
    case 'upperLetter':
      return toLetters(value);
    case 'lowerLetter':
      return toLetters(value).toLowerCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'none':
      return '';
    default:
      return String(value);
  }
}

/** Word repeats the letter past Z: AA, BB, CC. */
function toLetters(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

const ROMAN: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
];

function toRoman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let rest = value;
  let roman = '';
  for (const [letters, worth] of ROMAN) {
    roman += letters.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return roman;
}
