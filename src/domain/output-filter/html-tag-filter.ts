import type { TextFilter } from '../../text/text-filter.ts';
import { createCitationMarkerScanner } from './citation-marker-scanner.ts';
import type { ScannedSegment } from './scan-state.ts';

/**
 * Creates a filter that makes HTML inert: every `<` that could begin a tag, comment, declaration or autolink gets a
 * space after it. Neither Markdown nor HTML reads markup in `< b>`. Nothing is removed, because removing a part joins
 * the parts around it into new markup. Code that every Markdown renderer treats as code is not changed.
 *
 * It must be the last filter that changes the text, because it reads code as the renderer will.
 */
export function createHtmlTagFilter(): TextFilter {
  const scanner = createCitationMarkerScanner();
  /** True if the text so far ends with a `<` outside of code. */
  let isPending = false;
  /** Text since the last inert `<`, up to the first white space. Null if there is none. */
  let autolink: string | null = null;

  const inert = (text: string): string => {
    let shown = '';
    for (const part of text.split(tagParts)) {
      if (isPending && opensTag.test(part)) shown += ' ';
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
/** Matches an address that GitHub's Markdown links. It would include a `>` after it. */
const address = /^(?:www\.|mailto:|[a-z][a-z0-9+.-]*:)/i;
/** Maximum length of an address, in UTF-16 units. */
const maxAddressLength = 2_048;

function nextAutolink(part: string, isAfterBracket: boolean, autolink: string | null) {
  if (part === '<') return null;
  if (autolink === null && !isAfterBracket) return null;
  const text = `${autolink ?? ''}${part}`;
  return /\s/.test(part) || part === '>' || text.length > maxAddressLength ? null : text;
}
