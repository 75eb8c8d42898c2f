import { Parser } from 'htmlparser2';
import { ExtractError } from '../extracted-text.ts';

/** An HTML element. Text children are strings with decoded entities. */
export interface HtmlElement {
  /** Name in lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (HtmlElement | string)[];
}

/**
 * Maximum depth of the tree, so that recursion is safe. Deeper elements are attached to their ancestor at this depth.
 */
const maxTreeDepth = 256;
/** Maximum number of open elements, because the parser searches all of them for each end tag. */
const maxOpenElements = 10_000;
const maxElements = 1_000_000;

/**
 * Parses an HTML page or fragment into a tree whose root has no name. Repairs missing and wrong end tags.
 * @throws ExtractError TOO_LARGE when the HTML has too many elements or too many open elements.
 */
export function parseHtml(html: string): HtmlElement {
  const root: HtmlElement = { name: '', attributes: {}, children: [] };
  const open: HtmlElement[] = [root];
  let elements = 0;
  let below = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      elements += 1;
      if (elements > maxElements || open.length + below > maxOpenElements) throw tooComplex();
      const element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      if (open.length < maxTreeDepth) open.push(element);
      else below += 1;
    },
    ontext(text) {
      open.at(-1)?.children.push(text);
    },
    onclosetag() {
      if (below > 0) below -= 1;
      else open.pop();
    },
  });
  parser.end(html);
  return root;
}

/** Returns up to `limit` elements of the tree for which `matches` is true, in document order. Skips drawings. */
export function findHtmlElements(
  root: HtmlElement,
  matches: (element: HtmlElement) => boolean,
  limit = Number.POSITIVE_INFINITY,
): HtmlElement[] {
  const found: HtmlElement[] = [];
  const visit = (element: HtmlElement) => {
    for (const child of element.children) {
      if (found.length >= limit) return;
      if (typeof child === 'string' || child.name === 'svg') continue;
      if (matches(child)) found.push(child);
      visit(child);
    }
  };
  visit(root);
  return found;
}

/** Returns the text of the element with unchanged white space, without the text of scripts and styles. */
export function htmlTextOf(element: HtmlElement): string {
  const parts: string[] = [];
  const visit = ({ name, children }: HtmlElement) => {
    if (name === 'br') parts.push('\n');
    if (name === 'script' || name === 'style') return;
    for (const child of children) {
      if (typeof child === 'string') parts.push(child);
      else visit(child);
    }
  };
  visit(element);
  return parts.join('');
}

function tooComplex(): ExtractError {
  return new ExtractError('TOO_LARGE', 'The HTML has too many or too deeply nested elements.');
}
