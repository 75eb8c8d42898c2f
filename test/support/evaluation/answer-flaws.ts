import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseFragment } from 'parse5';

/**
 * Model output that is dangerous if a filter parses it differently than a browser: it then becomes markup or an unknown
 * address.
 */
export const hostileTexts: readonly string[] = [
  '<im<!-- -->g src=x onerror=go()>',
  '<scr<script>ipt>go()</script>',
  '<im<script></script>g src=https:\\\\evil.example/x>',
  '<im[99]g src=x onerror=go()>',
  'a &#104;ttps://evil.example/x b',
  'a https:\\/\\/evil.example/x b',
  'a https&colon;//evil.example/x b',
  'a https:&sol;&#47;evil.example/x b',
  '[https://docs.example.com/returns<![x](y) [1]',
  '\\<img src=x onerror=go()>',
  '`a` <img src="`" onerror=go()>',
];

/** These texts become markup when the marker of the first citation is removed. */
export const markedTexts: readonly string[] = [
  '<[1]img src=x onerror=go()>',
  '<[1]!--',
  '<[1]/b>',
  'a https:[1]//evil.example/x b',
  'a www[1].evil.example b',
  '&[1]#60;img src=x>',
  '[x][1](https://evil.example/x)',
  '![x] [1](https://evil.example/x)',
];

/**
 * Returns the HTML in an answer, and every address that is not in `known`. Parses the answer as Markdown and as HTML.
 */
export function findFlaws(text: string, known: readonly string[]): string[] {
  const hasCode = /`|~~~/.test(text);
  return [
    ...rendered(text, known),
    ...rendered(text, known, github),
    ...(hasCode ? [] : elementsIn(text)),
  ];
}

const github = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** Returns the raw HTML and the unknown addresses that a Markdown renderer outputs. */
function rendered(text: string, known: readonly string[], options?: typeof github): string[] {
  const found: string[] = [];
  const look = (node: { type: string; url?: string; value?: string; children?: unknown[] }) => {
    if (node.type === 'html') found.push(`HTML: ${node.value}`);
    if (node.type === 'image') found.push(`image: ${node.url}`);
    if (node.url !== undefined && isUnknown(node.url, known)) found.push(node.url);
    for (const child of node.children ?? []) look(child as Parameters<typeof look>[0]);
  };
  look(fromMarkdown(text, options));
  return found;
}

/** Parses the answer as HTML. Returns the names of all nodes except text. */
function elementsIn(html: string): string[] {
  return parseFragment(html)
    .childNodes.map(({ nodeName }) => nodeName)
    .filter((name) => name !== '#text');
}

function isUnknown(address: string, known: readonly string[]): boolean {
  if (address === '' || address.startsWith('#')) return false;
  // A bare e-mail address is text for the filter, but renderers make it a link. The link is harmless: it contains no
  // other data and its target is visible.
  if (/^mailto:[^\s?:/]+@[\w.-]+$/.test(address)) return false;
  const parsed = URL.canParse(address) ? new URL(address) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return true;
  const plain = `https://${parsed.host}${parsed.pathname.replace(/\/$/, '')}`;
  return !known.includes(plain) || parsed.username !== '' || parsed.search !== '';
}
