import { filterPart } from '../../domain/output-filter/filter-part.ts';

/**
 * Returns the name of a document as tools show it. Removes HTML, because the person who adds a document chooses the
 * name.
 */
export function shownName(name: string): string {
  return filterPart(name.replace(/\s+/g, ' '), [name]);
}

/** Returns the name of a document, with the page if the place has one. */
export function shownPlace({
  documentName,
  page,
}: {
  readonly documentName: string;
  readonly page: number | null;
}): string {
  return page === null ? shownName(documentName) : `${shownName(documentName)}, page ${page}`;
}
