import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { escapeHtml } from '../text/escape-html.ts';
import { Html } from './html.ts';

/** A section of a page. `level` is that of its heading, 2 or 3. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly level: number;
}

export interface Picture {
  readonly path: string;
  /** Size in pixels, so that the page does not move when the picture has been loaded. */
  readonly width: number;
  readonly height: number;
}

/**
 * Converts Markdown of this repository to HTML. Headings get the ids that GitHub gives them. A `<picture>` becomes the
 * picture for the light mode; other HTML in the Markdown is shown as text.
 * @param resolveLink returns the address for a link, or null to leave only its text
 * @param findPicture returns a picture, or null if there is none
 */
export function renderMarkdown(
  markdown: string,
  resolveLink: (target: string) => string | null = (target) => target,
  findPicture: (target: string) => Picture | null = () => null,
): { readonly html: Html; readonly sections: readonly Section[] } {
  const sections: Section[] = [];
  const seen = new Map<string, number>();
  const text = micromark(markdown.replace(pictureElement, '![$1]($2)'), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
    .replace(/<h([2-4])>([^\n]{1,300}?)<\/h[2-4]>/g, (_match, level: string, title: string) => {
      const plain = plainText(title);
      const id = uniqueId(plain, seen);
      if (level !== '4') sections.push({ id, title: plain, level: Number(level) });
      return `<h${level} id="${id}"><a class="anchor" href="#${id}">${title}</a></h${level}>`;
    })
    .replace(
      /<a href="([^"\n]{1,500})">([^"]{0,300}?)<\/a>/g,
      (_match, target: string, title: string) => {
        const address = resolveLink(target);
        return address === null ? title : `<a href="${address}">${title}</a>`;
      },
    )
    .replace(/<img src="([^"]*)"/g, (_match, target: string) => {
      const picture = findPicture(target);
      if (picture === null) return '<img';
      const { path, width, height } = picture;
      return `<img loading="lazy" src="${path}" width="${width}" height="${height}"`;
    })
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
  return { html: new Html(text), sections };
}

/** A picture for each mode, as GitHub shows it. */
const pictureElement =
  /^<picture>\n {2}<source [^<>\n]*>\n {2}<img alt="([^"\n]*)" src="([^"\n]*)">\n<\/picture>$/gm;

/**
 * Converts a description of the OpenAPI document to HTML: paragraphs, code in backticks, and links. The descriptions
 * use no other Markdown, and a page has hundreds of them.
 */
export function renderDescription(text: string): Html {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const text = escapeHtml(paragraph.trim())
      .replace(/`([^`]*)`/g, '<code>$1</code>')
      .replace(/\[([^[\]]*)\]\((https:[^()\s]*)\)/g, '<a href="$2">$1</a>');
    return `<p>${text}</p>`;
  });
  return new Html(paragraphs.join(''));
}

/** The text below a heading. The text before the first heading has none. */
export interface MarkdownSection {
  readonly heading: string | null;
  /** Id of the heading in `renderMarkdown`. */
  readonly id: string | null;
  readonly text: string;
}

/** Splits Markdown at its headings of level 2 to 4, without the marks of links, code and tables. */
export function splitAtHeadings(markdown: string): readonly MarkdownSection[] {
  const seen = new Map<string, number>();
  const withoutHeadingsInCode = markdown.replace(/^```.*?^```/gms, (code) =>
    code.replace(/^#/gm, ' #'),
  );
  return withoutHeadingsInCode.split(/^(?=#{2,4} )/m).map((part) => {
    const [, line] = /^#{2,4} (.*)/.exec(part) ?? [];
    const text = inlineText(part.replace(/^#{1,4} .*/, ''));
    if (line === undefined) return { heading: null, id: null, text };
    const heading = inlineText(line);
    return { heading, id: uniqueId(heading, seen), text };
  });
}

function inlineText(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/^```.*$/gm, '')
    .replace(/[`*|]+|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the text of HTML that `renderMarkdown` has made. */
function plainText(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

function uniqueId(title: string, seen: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
  const count = seen.get(id) ?? 0;
  seen.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
