/** Elements that a text of an editor, mail program or help desk contains. */
const knownNames = new Set(
  (
    'html body head p div span br hr img a b i u s em strong small sub sup del ins strike font center mark big cite q kbd abbr ' +
    'ul ol li dl dt dd table thead tbody tfoot tr td th caption colgroup col h1 h2 h3 h4 h5 h6 blockquote pre code ' +
    'script style section article header footer main aside figure figcaption details summary iframe video label time'
  ).split(' '),
);
/** Elements that start a block. An author may leave out their end tags. */
const blockName = /^(?:p|div|ul|ol|li|dl|table|h[1-6]|blockquote|pre|section|article)$/;

const tagPattern = /<(\/?)([a-z][a-z\d]{0,10})((?:[\s/][^<>]*)?)>/gi;
const codeSpan = /`[^`]*`/g;
/** Attributes of JSX and of templates, which are code. */
const codeAttribute = /\bclassName=|=\{|\{\{/;

/**
 * Whether a text without a format, such as a field of an export, is HTML. A text that only names tags, such as `Use <b>
 * for bold`, compares numbers or contains code is not HTML. A tag counts if it surrounds words: `<b>daily</b>`.
 */
export function isHtml(text: string): boolean {
  if (!text.includes('<')) return false;
  const source = text.trim().replace(codeSpan, (code) => '`'.repeat(code.length));
  if (/^<(?:!doctype html|html)\b/i.test(source)) return true;
  if (codeAttribute.test(source)) return false;
  const isEnclosed = source.startsWith('<') && source.endsWith('>');
  /** Names of start tags that surround words. */
  const open = new Set<string>();
  for (const match of source.matchAll(tagPattern)) {
    const name = (match[2] ?? '').toLowerCase();
    if (!knownNames.has(name)) continue;
    const [tag, slash, , attributes = ''] = match;
    const after = source.charAt(match.index + tag.length);
    const isBeforeWord = after !== '' && !/[\s"'’”.,;:…]/.test(after);
    if (slash === '/') {
      if (open.has(name)) return true;
    } else if (name === 'br' || name === 'hr') {
      const before = source.charAt(match.index - 1);
      if (isBeforeWord || /[^\s"'“‘]/.test(before) || isEnclosed) return true;
    } else if (name === 'img') {
      if (/\ssrc\s*=/i.test(attributes)) return true;
    } else {
      if (match.index === 0 && blockName.test(name) && isBeforeWord) return true;
      if (isBeforeWord || isEnclosed || attributes.includes('=')) open.add(name);
    }
  }
  return false;
}
