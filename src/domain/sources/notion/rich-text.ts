import { escapeBlockStart, escapeInline, inlineCode } from '../../../text/escape-markdown.ts';
import { objectOf, objectsOf, textOf } from './notion-values.ts';

/** Converts rich text to Markdown that may have several lines. */
export function richTextLines(richText: unknown): string {
  return inlineMarkdown(richText).split('\n').map(escapeBlockStart).join('\\\n');
}

/** Converts rich text to Markdown in a single line, for headings and cells. */
export function richTextLine(richText: unknown): string {
  return inlineMarkdown(richText).replaceAll('\n', ' ').trim();
}

/** Returns a Markdown link. If the address is not a web address, returns only the text. */
export function markdownLink(text: string, address: string): string {
  const url = address.startsWith('/') ? `https://www.notion.so${address}` : address;
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return text;
  const target = url.replace(/[\s<>\\]/g, encodeURIComponent);
  return text === '' ? `<${target}>` : `[${text}](<${target}>)`;
}

function inlineMarkdown(richText: unknown): string {
  return objectsOf(richText)
    .map(({ plain_text, annotations, href }) => {
      const text = textOf(plain_text).replaceAll('\r', '');
      const inner = text.trim();
      if (inner === '') return text;
      // Move spaces at the start and the end outside of the markup.
      const start = text.slice(0, text.indexOf(inner));
      const end = text.slice(start.length + inner.length);
      const styled = styledText(inner, objectOf(annotations));
      return `${start}${href == null ? styled : markdownLink(styled, textOf(href))}${end}`;
    })
    .join('');
}

function styledText(text: string, { code, bold, italic, strikethrough }: object & Styles): string {
  // Inline code cannot contain a line break.
  if (code === true) return inlineCode(text.replaceAll('\n', ' '));
  let styled = escapeInline(text);
  if (strikethrough === true) styled = `~~${styled}~~`;
  if (italic === true) styled = `*${styled}*`;
  if (bold === true) styled = `**${styled}**`;
  return styled;
}

interface Styles {
  readonly code?: unknown;
  readonly bold?: unknown;
  readonly italic?: unknown;
  readonly strikethrough?: unknown;
}
