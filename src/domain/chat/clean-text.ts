import type { TextFilter } from './text-filter.ts';

/**
 * Takes out of an answer what is never meant to be read: NUL and lone surrogates, which Postgres refuses; other control
 * characters, with which a terminal can be led; and what hides text or turns it round, which are Unicode's tags and
 * controls of direction. Marks of direction, joiners and breaks stay: scripts need them.
 */
export function createTextCleaner(): TextFilter {
  let half = '';
  return {
    push(text) {
      const joined = half + text;
      // A pair of surrogates may come in two pieces.
      half = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? '';
      return clean(half === '' ? joined : joined.slice(0, -1));
    },
    flush() {
      const rest = clean(half);
      half = '';
      return rest;
    },
  };
}

function clean(text: string): string {
  return text.toWellFormed().replace(unread, '');
}

/** Controls but tab, line feed and carriage return; embeddings, overrides and isolates of direction; tags. */
const unread =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
