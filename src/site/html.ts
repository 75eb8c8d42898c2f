import { escapeHtml } from '../text/escape-html.ts';

/** A part of a page. Its text is HTML, so it is inserted as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | false | null | readonly Part[];

/** Tag of template literals that makes HTML. Inserted strings are escaped; false and null insert nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: texts }, ...parts.map(toHtml)));
}

function toHtml(part: Part): string {
  if (part === false || part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(toHtml).join('');
  return escapeHtml(String(part));
}
