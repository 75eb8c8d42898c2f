import type { TextFilter } from '../../text/text-filter.ts';

/**
 * Creates a filter that decodes character references, such as `&#104;` or `&colon;`. So the next filters read an
 * address as a renderer does. Decodes only letters, digits and the punctuation of addresses. Other references do not
 * change: `&lt;` is text in Markdown and HTML.
 */
export function createCharacterReferenceFilter(): TextFilter {
  let pending = '';
  return {
    push(text) {
      const joined = pending + text;
      [pending = ''] = unfinishedReference.exec(joined.slice(-maxReferenceLength)) ?? [];
      return decode(pending === '' ? joined : joined.slice(0, -pending.length));
    },
    flush() {
      const rest = decode(pending);
      pending = '';
      return rest;
    },
  };
}

const maxReferenceLength = 12;
const unfinishedReference = /&(?:#(?:x[0-9a-f]{0,7}|\d{0,8})?|[a-z]{0,6})$/i;
const reference = /&(?:#x([0-9a-f]{1,8})|#(\d{1,9})|(colon|sol|period|commat|bsol));?/gi;
const namedCharacters = new Map(
  Object.entries({ colon: ':', sol: '/', period: '.', commat: '@', bsol: '\\' }),
);

function decode(text: string): string {
  return text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return namedCharacters.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = code < 0x80 ? String.fromCharCode(code) : '';
    return /[a-z0-9:/.@\\]/i.test(character) ? character : whole;
  });
}
