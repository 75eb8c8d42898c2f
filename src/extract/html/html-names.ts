import type { HtmlElement } from './html-tree.ts';

/** Returns the classes and the id in the form `edit-this-page`. */
export function namesOf({ attributes }: HtmlElement): string[] {
  return `${attributes.class ?? ''} ${attributes.id ?? ''}`
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) =>
      name
        .replace(/([a-z])([A-Z])/g, '$1-$2')
        .replaceAll('_', '-')
        .toLowerCase(),
    );
}
