import type { TextFilter } from '../../text/text-filter.ts';
import { createCitationMarkerScanner } from './citation-marker-scanner.ts';
import { type CountFiltered, ignoreFiltered } from './filtered-parts.ts';
import type { ScannedSegment } from './scan-state.ts';

/**
 * Creates a filter that makes HTML inert: every `<` that could begin a tag, comment, declaration or autolink gets a
 * space after it. Neither Markdown nor HTML reads `< b>` as markup. Removes nothing, because the parts around a removed
 * part could form new markup. Does not change code if all Markdown renderers treat it as code.
 *
 * Must be the last filter that changes the text, because it has to read code in the same way as the renderer.
 */
export function createHtmlTagFilter(countFiltered: CountFiltered = ignoreFiltered): TextFilter {
  const scanner = createCitationMarkerScanner();
  /** True if the text so far ends with a `<` outside of code. */
  let isPending = false;
  /** Text after the last `<` that was made inert, up to the first white space. Null if there is no such text. */
  let autolink: string | null = null;

  const inert = (text: string): string => {
    let shown = '';
    for (const part of text.split(tagParts)) {
      if (isPending && opensTag.test(part)) {
        countFiltered('HTML_TAG');
        shown += ' ';
      }
      if (part === '>' && autolink !== null && address.test(autolink)) shown += ' ';
      if (part !== '') autolink = nextAutolink(part, isPending, autolink);
      if (part !== '') isPending = part === '<';
      shown += part;
    }
    return shown;
  };
  const write = (segment: ScannedSegment): string => {
    if (segment.type === 'marker') return inert(segment.raw);
    if (segment.code !== 'certain') return inert(segment.text);
    isPending = false;
    autolink = null;
    return segment.text;
  };
  return {
    push: (text) => scanner.push(text).map(write).join(''),
    flush: () => scanner.flush().map(write).join(''),
  };
}

const tagParts = /([<>])/;
const opensTag = /^[a-z/!?]/i;
/**
 * Matches an address that GitHub's Markdown turns into a link. That link would include a `>` directly after the
 * address.
 */
const address = /^(?:www\.|mailto:|[a-z][a-z0-9+.-]*:)/i;
/** Maximum length of an address, in UTF-16 units. */
const maxAddressLength = 2_048;

function nextAutolink(part: string, isAfterBracket: boolean, autolink: string | null) {
  if (part === '<') return null;
  if (autolink === null && !isAfterBracket) return null;
  const text = `${autolink ?? ''}${part}`;
  return /\s/.test(part) || part === '>' || text.length > maxAddressLength ? null : text;
}
