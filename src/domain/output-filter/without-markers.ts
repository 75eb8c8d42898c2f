import type { Source } from '../../models/models.ts';
import { filterPart } from './filter-part.ts';
import { textsOf } from './texts-of.ts';

/**
 * Returns a filtered answer without its citation markers. Keeps other numbers in brackets, because they are text. If a
 * marker is removed, the text around it must not become markup, an address or a marker. So a space separates the two
 * parts, unless punctuation follows. Then the result is filtered again, so that all its addresses are in the sources.
 */
export function withoutMarkers(
  answer: string,
  { citations, sources }: { readonly citations: number; readonly sources: readonly Source[] },
): string {
  const isMarker = (digits: string) => Number(digits) >= 1 && Number(digits) <= citations;
  const text = answer.replace(markers, (group: string, _: string, after?: string) => {
    const rest = group.replace(marker, (found, digits: string) => (isMarker(digits) ? '' : found));
    return rest === '' && after === undefined ? ' ' : rest;
  });
  return filterPart(text, textsOf(sources)).trim();
}

/**
 * Matches markers with the spaces before them. The second group contains what follows, if this is white space,
 * punctuation or the end.
 */
const markers = /((?: ?\[\d{1,3}\])+)(?=([\s.,;!?…)»”’"'。，；！？、）」』]|$)|)/gu;
const marker = / ?\[(\d{1,3})\]/g;
