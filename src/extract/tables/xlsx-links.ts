import { linkText } from '../link-address.ts';
import { relationshipId } from '../office/office-package.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';
import type { SheetRow } from './sheet-tables.ts';
import { columnNumber, rowNumber } from './xlsx-references.ts';

/**
 * Adds the addresses of the links of a sheet (ECMA-376 part 1, 18.3.1.47) after the texts of their cells. If a link
 * covers several cells, the address is added to the first cell.
 * @param links addresses by the id of the relationship.
 */
export function addLinkAddresses(
  rows: readonly SheetRow[],
  sheet: XmlElement | null,
  links: ReadonlyMap<string, string>,
): void {
  if (links.size === 0) return;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  for (const link of childElements(findElement(sheet ?? undefined, 'hyperlinks'), 'hyperlink')) {
    const [first = ''] = (link.attributes.ref ?? '').split(':');
    const cells = byNumber.get(rowNumber(first))?.cells;
    const column = columnNumber(first) ?? 0;
    const text = cells?.get(column);
    const target = links.get(relationshipId(link));
    if (text !== undefined && target !== undefined) cells?.set(column, linkText(text, target));
  }
}

/** Returns the text of a cell. If its formula is a link with a fixed address, the address follows the text. */
export function withFormulaAddress(text: string, cell: XmlElement): string {
  const formula = findElement(cell, 'f');
  if (formula === undefined) return text;
  const [, target = ''] = /^\s{0,10}HYPERLINK\("([^"]{1,2000})"/i.exec(textOf(formula)) ?? [];
  return linkText(text, target);
}
