import type { Source } from '../models.ts';

/** Maximum lengths in UTF-16 units: first of one source, then of one line above its text. */
const maxSourceLength = 8_000;
const maxLineLength = 300;
/** Maximum number of lines above the text. Nested lists may each have an introduction. */
const maxPartsAbove = 3;

/**
 * Returns the sources of a prompt. Each source is in a fence with its number, name and place. Sources of the same
 * document are next to each other, in the order of the document, so that steps and rows are consecutive. The numbers
 * are the positions in `sources`, from 1.
 */
export function fencedSources(sources: readonly Source[], boundary: string): string {
  const numbered = sources.map((source, index) => ({ source, number: index + 1 }));
  const documents = Map.groupBy(numbered, ({ source }) => source.documentId ?? source.documentName);
  return [...documents.values()]
    .flatMap((parts) => parts.toSorted((left, right) => offsetOf(left) - offsetOf(right)))
    .map(({ source, number }) => fencedSource(source, number, boundary))
    .join('\n\n');
}

function offsetOf({ source }: { readonly source: Source }): number {
  return source.startOffset ?? 0;
}

function fencedSource(source: Source, number: number, boundary: string): string {
  const { headings, above } = readContext(source);
  const text = [
    `Document: ${oneLine(source.documentName)}`,
    ...(headings.length > 0 ? [`Place: ${innermost(headings)}`] : []),
    '',
    ...above,
    source.content.slice(0, maxSourceLength).toWellFormed(),
  ].join('\n');
  // Removes the boundary from the text. Authors of documents cannot know it, but an earlier answer may have repeated
  // it.
  const inside = text.replaceAll(boundary, '');
  return `<source-${boundary} number="${number}">\n${inside}\n</source-${boundary}>`;
}

/**
 * Splits the context of a chunk into its headings and the lines that belong directly above its text. Such lines are the
 * introduction of a list, and the caption and column titles of a table.
 */
function readContext({ context, content }: Source): {
  readonly headings: readonly string[];
  readonly above: readonly string[];
} {
  const path = context.split(' › ').map(oneLine).filter(Boolean);
  const isTitles = (part: string, index: number) =>
    index === path.length - 1 && part.includes(' | ') && content.includes(' | ');
  const isAbove = (part: string, index: number) => /[:：]$/.test(part) || isTitles(part, index);
  const lastHeading = path.findLastIndex((part, index) => !isAbove(part, index));
  const start = Math.max(lastHeading + 1, path.length - maxPartsAbove);
  const above = path
    .slice(start)
    .flatMap((part, index) => (isTitles(part, start + index) ? part.split(' · ') : [part]));
  return { headings: path.slice(0, start), above };
}

/** Joins headings. If the line would be too long, leaves out the outermost headings. */
function innermost(headings: readonly string[]): string {
  let line = headings.at(-1) ?? '';
  for (const heading of headings.slice(0, -1).toReversed()) {
    const longer = `${heading} › ${line}`;
    if (longer.length > maxLineLength) break;
    line = longer;
  }
  return line;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, maxLineLength).toWellFormed();
}
