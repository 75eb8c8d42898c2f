import type { TextFilter } from '../../text/text-filter.ts';
import { type CountFiltered, ignoreFiltered } from './filtered-parts.ts';

/**
 * Creates a filter that removes unsafe characters. NUL and lone surrogates: Postgres rejects them. Other control
 * characters: they can manipulate a terminal. Unicode tags and bidirectional controls: they can hide or reorder text.
 * Keeps line breaks, and also direction marks and joiners, which some scripts need.
 */
export function createControlCharacterFilter(
  countFiltered: CountFiltered = ignoreFiltered,
): TextFilter {
  let pendingSurrogate = '';
  const strip = (text: string): string => {
    const stripped = stripControlCharacters(text);
    countFiltered('CONTROL_CHARACTER', text.length - stripped.length);
    return stripped;
  };
  return {
    push(text) {
      const joined = pendingSurrogate + text;
      // The two halves of a surrogate pair may be in different chunks.
      pendingSurrogate = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? '';
      return strip(pendingSurrogate === '' ? joined : joined.slice(0, -1));
    },
    flush() {
      const rest = strip(pendingSurrogate);
      pendingSurrogate = '';
      return rest;
    },
  };
}

function stripControlCharacters(text: string): string {
  return text.toWellFormed().replace(controlCharacters, '');
}

/**
 * Matches control characters except tab, line feed and carriage return. Also matches bidirectional embeddings,
 * overrides and isolates, and tags.
 */
const controlCharacters =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
