import { filterPart } from '../../domain/output-filter/filter-part.ts';

/** Returns the name of a document as texts of tools show it: without HTML, because whoever adds a document chooses it. */
export function shownName(name: string): string {
  return filterPart(name.replace(/\s+/g, ' '), [name]);
}

/** Returns the name of a document, with the page if there is one. */
export function shownPlace({
  documentName,
  page,
}: {
  readonly documentName: string;
  readonly page: number | null;
}): string {
  return page === null ? shownName(documentName) : `${shownName(documentName)}, page ${page}`;
}
