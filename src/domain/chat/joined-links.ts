import { addressesIn, plainAddress } from './addresses.ts';
import type { ShownPiece } from './cited-links.ts';
import { createLinkFilter } from './link-filter.ts';

export interface JoinedLinks {
  push(pieces: readonly ShownPiece[]): string;
  flush(): string;
}

/**
 * Puts an answer together again, and lets no address or tag come together with it: where a marker, a tag or a link was
 * taken out of the middle of one, its parts would be read as one. What has been shown as a link may be said again.
 */
export function createJoinedLinks(): JoinedLinks {
  const shown = new Map<string, readonly number[]>();
  const links = createLinkFilter(shown);
  const note = (text: string) => {
    for (const address of [plainAddress(text), ...addressesIn([`]${text}`]).keys()]) {
      shown.set(address, []);
    }
  };
  const textOf = (pieces: readonly ShownPiece[]) => pieces.map(({ text }) => text).join('');
  let before: ShownPiece = { text: '' };
  let isGap = false;
  /** What keeps `next` from being read as one with what stands before it. */
  const separator = (next: ShownPiece) => {
    const isTag = isGap && /<\/?$/.test(before.text) && /^[a-z/!?]/i.test(next.text);
    // GitHub's Markdown takes a marker behind an address, and what follows it, for a part of the address.
    const isLonger = before.isLink && !before.text.startsWith('(') && next.text.startsWith('[');
    isGap = next.text === '';
    if (!isGap) before = next;
    return isTag || isLonger ? ' ' : '';
  };
  return {
    push: (pieces) =>
      pieces
        .map((piece) => {
          if (piece.isLink) note(piece.text);
          return textOf(links.push(separator(piece) + piece.text));
        })
        .join(''),
    flush: () => textOf(links.flush()),
  };
}
