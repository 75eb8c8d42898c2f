import { childElements, findElement, type XmlElement } from '../xml-tree.ts';
import { formatNumber } from './docx-number-format.ts';
import type { ParagraphNumbering } from './docx-styles.ts';

/** Counts numbered paragraphs to reproduce the labels that Word prints. */
export interface DocxNumbering {
  /**
   * Returns the label that Word prints, such as `2.1.` or `(b)`, or `-` for a bullet. Increments the counter, so call
   * it in document order.
   */
  nextLabel(numbering: ParagraphNumbering): string;
}

interface Level {
  readonly format: string;
  /** Label template, such as `%1.%2.`. `%1` is the number of the outermost level, `%2` the number of the next level. */
  readonly template: string;
  readonly start: number;
}

interface Numbering {
  readonly abstractId: string;
  readonly startOverrides: ReadonlyMap<number, number>;
}

/** Reads the part `numbering.xml` (ISO/IEC 29500-1, 17.9). */
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
    const settingOf = (name: string) => findElement(element, name)?.attributes.val;
    levels[Number(element.attributes.ilvl ?? 0)] = {
      format: settingOf('numFmt') ?? 'decimal',
      template: settingOf('lvlText') ?? '',
      start: Number(settingOf('start') ?? 1),
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
