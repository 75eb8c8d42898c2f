import { fencedCode } from '../../text/escape-markdown.ts';
import { attributeOf, type ComponentTag, readComponentTag } from './component-tags.ts';
import { isTab, titleLine, titleOf } from './titles.ts';

/** Unicode noncharacters, which no text contains: lines that start and end the content of a component. */
export const contentStart = '\ufdd2';
export const contentEnd = '\ufdd3';
/** Precedes each line of code without a fence. */
export const codeLine = '\ufdd4';

/** Marks outside code, in the order in which they are tried at a place. */
const marks = new RegExp(
  [
    String.raw`(?<role>\{[a-z][\w:+-]{0,40}\}\x60[^\x60\n]+\x60)`,
    String.raw`(?<code>(?<!\x60)\x60+[^\x60\n]+\x60+|<!--(?:(?!<!--|-->)[^]){0,20000}-->)`,
    String.raw`(?<highlighted>\{[{%][<%-]?\s?highlight\b(?:(?!\{[{%][<%-]?\s?(?:end|\/)?highlight)[^]){0,20000}\{[{%][<%-]?\s?(?:end|\/)highlight\s?[->%]{0,2}\}{1,2})`,
    String.raw`(?<comment>\{\{-?\s?\/\*(?:(?!\{\{?-?\s?\/\*|\*\/)[^]){0,20000}\*\/\s?-?\}\}|\{\/\*(?:(?!\{\/\*|\*\/)[^]){0,20000}\*\/\s?\}|\{%-?\s?comment\s?-?%\}(?:(?!\{%)[^]){0,20000}\{%-?\s?endcomment\s?-?%\}|\{\{[<%]\s?comment\s?[>%]\}\}(?:(?!\{\{)[^]){0,20000}\{\{[<%]\s?\/comment\s?[>%]\}\}|(?<![\w%\\])(?<!\d[ ])%%(?!%)(?:(?!%%)[^]){1,20000}%%(?![\w%])|\{\{#(?:include|playground|rustdoc_include|title)[^{}\n]{0,500}\}\}|[ ]?\\?\{:?[ ]?#[\w:.-]{1,100}(?:[ ][^{}\n]{0,200})?\}|(?<!:::)[ ]?(?<!:::[ ]?)\{:?[ ]?\.[\w-]{1,60}(?:[ ][^{}\n]{0,200})?\}(?=\s|$)|\{%[ ]?#[\w-]{1,100}[ ]?%\})`,
    String.raw`(?<shortcode>\{\{[<%](?:(?!\{\{|[>%]\}\})[^]){0,2000}[>%]\}\}|\{%(?:(?!\{%|%\})[^]){0,2000}%\})`,
    String.raw`(?<wiki>!?\[\[(?!\s)[^[\]\n]{1,600}\]\](?!\())`,
    String.raw`(?<value>(?<![\\$\w{])\{\{?\s?[$a-zA-Z_][\w$.]{0,80}\s?\}\}?(?!\})|(?<![=\\])\{\s?"[^"\n{}]{0,200}"\s?\}|(?<![=\\])\{\s?'[^'\n{}]{0,200}'\s?\})`,
    String.raw`(?<tag>(?<!\w)<(?=\/?[A-Z]))`,
  ].join('|'),
  'g',
);

interface Marks {
  /** Values of constants and of the front matter, by name. */
  readonly values: ReadonlyMap<string, string>;
  /** Names of components that have an end tag. Any other name in `<…>` may be a placeholder. */
  readonly closed: ReadonlySet<string>;
}

/** Returns the names of components that have an end tag in the text. */
export function closedComponents(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/<\/([A-Z][\w.]{0,60})\s?>/g)].map(([, name = '']) => name));
}

/** Replaces components, shortcodes, comments, roles, wiki links and values in a text without code blocks. */
export function readInlineMarks(text: string, { values, closed }: Marks): string {
  const parts: string[] = [];
  let isLineStart = true;
  let indent = '';
  /** For each open component, whether it is a block. */
  const open: boolean[] = [];
  /** Names of the next tabs, if the list of tabs contains them. */
  let tabs: string[] = [];
  const add = (part: string) => {
    const line = part.slice(part.lastIndexOf('\n') + 1);
    const isNew = part.includes('\n');
    if (isNew) indent = '';
    isLineStart = (isNew || isLineStart) && line.trim() === '';
    if (isLineStart && (isNew || indent === '')) indent = line;
    parts.push(part);
  };
  const addBlock = (...lines: readonly string[]) => {
    const before = indent;
    add(
      `\n\n${lines.map((line) => (line === '' ? '' : `${before}${line}`)).join('\n\n')}\n\n${before}`,
    );
  };
  const nextTitle = (name: string, attributes: string): string => {
    const items =
      attributeOf(attributes, ['items']) ||
      (/\bitems=\{\s?\[([^\]]{1,1000})\]/.exec(attributes)?.[1] ?? '');
    if (items !== '') tabs = items.split(',').map((item) => item.replace(/["'`]/g, '').trim());
    const title = titleOf(name, attributes);
    return title === '' && isTab(name) ? (tabs.shift() ?? '') : title;
  };
  const addTag = ({ name, attributes, isEnd, isEmpty }: ComponentTag) => {
    if (isEnd) {
      if (open.pop() === true) addBlock(contentEnd);
      return;
    }
    const isBlock = isLineStart;
    if (!isEmpty) open.push(isBlock);
    if (!isBlock) return;
    const title = nextTitle(name, attributes);
    if (!isEmpty) addBlock(titleLine(title), contentStart);
    else addBlock(title, attributeOf(attributes, ['description', 'content', 'children']));
  };
  const addShortcode = (written: string) => {
    const inner = written
      .replace(/^\{[{%][<%-]?\s?/, '')
      .replace(/[-\s]?[>%][}]{1,2}$/, '')
      .trim();
    const [, slash = '', name = '', attributes = ''] =
      /^(\/|end)?-?\s?([\w./-]+)([\s\S]*)$/.exec(inner) ?? [];
    if (!isLineStart || slash !== '') add(isLineStart ? '\n\n' : '');
    else addBlock(titleLine(nextTitle(name, attributes)) || attributeOf(attributes, ['url']));
  };
  marks.lastIndex = 0;
  let at = 0;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    add(text.slice(at, match.index));
    const [written] = match;
    const { role, code, highlighted, comment, shortcode, wiki, value } = match.groups ?? {};
    const tag = match.groups?.tag === undefined ? null : readComponentTag(text, match.index);
    if (role !== undefined) add(roleText(role));
    else if (code !== undefined) add(code);
    else if (highlighted !== undefined) add(highlightedCode(highlighted));
    else if (comment !== undefined) add('');
    else if (shortcode !== undefined) addShortcode(shortcode);
    else if (wiki !== undefined) add(wikiText(wiki));
    else if (value !== undefined) add(valueText(value, values));
    else if (tag !== null && (tag.isEmpty || closed.has(tag.name))) {
      addTag(tag);
      marks.lastIndex = match.index + tag.length;
    } else add(written);
    at = marks.lastIndex;
  }
  add(text.slice(at));
  return parts.join('');
}

/** Returns the code between two tags of a highlighter as a code block. */
function highlightedCode(written: string): string {
  const code = written.slice(written.indexOf('}') + 1, written.lastIndexOf('{') - 1);
  const inner = code.replace(/^\}/, '').replace(/\{$/, '').replace(/^\n/, '').trimEnd();
  return `\n\n${fencedCode(inner)}\n\n`;
}

function roleText(role: string): string {
  const content = role.slice(role.indexOf('`') + 1, -1);
  const isCode = /^\{(?:code|kbd|file|program|command|option|envvar|samp)/.test(role);
  return isCode ? `\`${content}\`` : content.replace(/\s?<[^<>]*>$/, '');
}

const media = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|mp[34]|webm|mov|pdf|canvas|excalidraw)$/i;

/** Returns the words of a wiki link. An embedded picture has none. */
function wikiText(wiki: string): string {
  const [target = '', label = ''] = wiki.replace(/^!?\[\[|\]\]$/g, '').split(/\\?\|/);
  if (wiki.startsWith('!') && media.test(target)) return '';
  if (label !== '' && !wiki.startsWith('!')) return label;
  const [page = '', heading = ''] = target.replace(/[#^]?\^[\w-]*$/, '').split('#');
  return [page.split('/').at(-1) ?? '', heading].filter(Boolean).join(' > ');
}

function valueText(written: string, values: ReadonlyMap<string, string>): string {
  const inner = written.replace(/[{}]/g, '').trim();
  if (/^["']/.test(inner)) return inner.slice(1, -1);
  const name = inner.replace(/^\$?(?:page|frontmatter|meta|site|metadata)\./, '');
  return values.get(inner) ?? values.get(name.toLowerCase()) ?? written;
}
