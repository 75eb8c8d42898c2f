import { element } from './element.ts';

/** A link of Markdown, a bare address, or the marker of a source. */
const special =
  /\[([^\][\n]{1,200})\]\((https?:\/\/[^\s<>()]{1,2000})\)|https?:\/\/[^\s<>"'`]{1,2000}|\[(\d{1,3})\]/gu;

/**
 * The text of an answer as nodes: addresses of http and https become links, markers what `markerOf` makes of them, and
 * all else stays text.
 */
export function richText(
  text: string,
  markerOf: (number: number) => Node | null,
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(special)) {
    const [whole, label, address, marker] = match;
    const bare =
      label === undefined && marker === undefined ? whole.replace(/[.,;:!?)\]}»”’]+$/u, '') : '';
    const node =
      marker === undefined ? link(address ?? bare, label ?? bare) : markerOf(Number(marker));
    if (node === null) continue;
    nodes.push(text.slice(end, match.index), node);
    end = match.index + (bare || whole).length;
  }
  nodes.push(text.slice(end));
  return nodes.filter((node) => node !== '');
}

/** The service lets only those through that stand in the sources or in the question. */
function link(address: string, label: string): Node | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, label);
}
