import { element } from './dom.ts';

/** Matches a Markdown link, a bare URL or a citation marker. */
const linkOrMarkerPattern =
  /\[([^\][\n]{1,200})\]\((https?:\/\/[^\s<>()]{1,2000})\)|https?:\/\/[^\s<>"'`]{1,2000}|\[(\d{1,3})\]/gu;

/**
 * Converts the text of an answer to nodes. HTTP and HTTPS URLs become links. A citation marker becomes the node that
 * `createMarker` returns, or stays text if it returns null. Everything else stays text.
 */
export function richText(
  text: string,
  createMarker: (number: number) => Node | null,
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(linkOrMarkerPattern)) {
    const [whole, label, address, marker] = match;
    const bare =
      label === undefined && marker === undefined
        ? (/^.*[^.,;:!?)\]}»”’]/u.exec(whole)?.[0] ?? '')
        : '';
    const node =
      marker === undefined ? link(address ?? bare, label ?? bare) : createMarker(Number(marker));
    if (node === null) continue;
    nodes.push(text.slice(end, match.index), node);
    end = match.index + (bare || whole).length;
  }
  nodes.push(text.slice(end));
  return nodes.filter((node) => node !== '');
}

/**
 * Returns a link, or null if the URL is not a valid HTTP or HTTPS URL. Links in an answer are safe: the service removes
 * URLs that occur neither in a source nor in the question.
 */
export function link(address: string, label: string): Node | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, label);
}
