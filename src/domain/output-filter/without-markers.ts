import type { Source } from '../../models/models.ts';
import { filterPart } from './filter-part.ts';
import { textsOf } from './texts-of.ts';

/**
 * Returns a filtered answer without the markers of its citations. Other numbers in brackets are text. Removing a marker
 * joins the text around it, which must not become markup, an address or a marker. So a space separates the parts, unless
 * punctuation follows, and the result is filtered once more: all its addresses are in the sources.
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

/** Markers, with the spaces before them. The second group is what follows if it is space, punctuation or the end. */
const markers = /((?: ?\[\d{1,3}\])+)(?=([\s.,;!?…)»”’"'。，；！？、）」』]|$)|)/gu;
const marker = / ?\[(\d{1,3})\]/g;
