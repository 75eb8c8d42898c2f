import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseFragment } from 'parse5';

/** What a model writes that becomes markup or an unknown address if a filter reads it in another way than a browser. */
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

/** Markup that appears when the marker of the first citation is removed. */
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

/** Returns the HTML in an answer, and every address that is not one of `known`. Reads it as Markdown and as HTML. */
export function findFlaws(text: string, known: readonly string[]): string[] {
  const hasCode = /`|~~~/.test(text);
  return [
    ...rendered(text, known),
    ...rendered(text, known, github),
    ...(hasCode ? [] : elementsIn(text)),
  ];
}

const github = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** Returns the raw HTML and the unknown addresses that a Markdown renderer passes on. */
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

/** Returns the names of all nodes except text that an HTML parser reads in the answer. */
function elementsIn(html: string): string[] {
  return parseFragment(html)
    .childNodes.map(({ nodeName }) => nodeName)
    .filter((name) => name !== '#text');
}

function isUnknown(address: string, known: readonly string[]): boolean {
  if (address === '' || address.startsWith('#')) return false;
  // Renderers link a bare e-mail address, which is text to the filter. It carries no data and shows where it leads.
  if (/^mailto:[^\s?:/]+@[\w.-]+$/.test(address)) return false;
  const parsed = URL.canParse(address) ? new URL(address) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return true;
  const plain = `https://${parsed.host}${parsed.pathname.replace(/\/$/, '')}`;
  return !known.includes(plain) || parsed.username !== '' || parsed.search !== '';
}
