import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { addDrawnParagraphs } from '../office/drawn-paragraphs.ts';
import {
  findTarget,
  type OfficePackage,
  openOfficePackage,
  type Relationships,
} from '../office/office-package.ts';
import { createTextBuilder, type TextBuilder } from '../text-builder.ts';
import { childElements, findElement, type XmlElement } from '../xml-tree.ts';
import { addSheetTables } from './sheet-tables.ts';
import { type CellFormatter, createCellFormatter } from './xlsx-cells.ts';
import { countLeftOut, createLeftOut, warnOfLeftOut } from './xlsx-left-out.ts';
import { readSharedStrings } from './xlsx-shared-strings.ts';
import { readSheet } from './xlsx-sheet.ts';

/** Names of XML elements that text extraction does not need. */
const unusedElements = new Set(
  'rPh phoneticPr extLst conditionalFormatting dataValidations fills borders'.split(' '),
);

/** Names that Excel and LibreOffice give to new sheets, in common languages. */
const defaultSheetName =
  /^(?:sheet|tabelle|feuil|feuille|hoja|foglio|planilha|лист|シート)\s?\d*$/iu;

/**
 * Extracts the visible sheets of an Excel workbook. A heading with the name of the sheet comes first. In each row of a
 * table, the values follow the names of their columns: see `addSheetTables`. A formula is read as its last result, and
 * a date as ISO 8601. Omits struck text. Also omits comments, embedded objects, and hidden sheets, rows and columns,
 * and adds warnings for them.
 * @throws ExtractError CORRUPT_FILE, ENCRYPTED, TOO_LARGE or EMPTY_TEXT.
 */
export async function readXlsx(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const parts = openOfficePackage(bytes, limits.unpackedBytes, unusedElements);
  const mainName = await parts.mainPart('xl/workbook.xml');
  const workbook = await parts.readPart(mainName);
  if (workbook === null) throw new ExtractError('CORRUPT_FILE', 'The file contains no workbook.');
  const relationships = await parts.relationshipsOf(mainName);
  const format = await readFormatter(parts, workbook, relationships);
  const builder = createTextBuilder(limits.textCharacters);
  const { sheets, hidden, missing } = listSheets(workbook, relationships);
  const leftOut = createLeftOut(hidden, missing);
  for (const { name, part } of sheets) {
    const sheet = await readSheet(parts, part, format, limits.textCharacters);
    const hasName = sheets.length > 1 || !defaultSheetName.test(name);
    if (hasName && sheet !== null && sheet.rows.length > 0) {
      builder.add('heading', name, { level: 1 });
    }
    addSheetTables(builder, sheet?.rows ?? []);
    await addTextBoxes(builder, parts, part);
    await countLeftOut(leftOut, parts, { name, part, sheet });
  }
  warnOfLeftOut(builder, leftOut);
  return builder.build();
}

async function readFormatter(
  parts: OfficePackage,
  workbook: XmlElement,
  relationships: Relationships,
): Promise<CellFormatter> {
  const styles = findTarget(relationships, 'styles');
  const date1904 = findElement(workbook, 'workbookPr')?.attributes.date1904 ?? '0';
  return createCellFormatter({
    strings: await readSharedStrings(parts, findTarget(relationships, 'sharedStrings')),
    styles: styles === null ? null : await parts.readPart(styles),
    is1904: /^(?:1|true)$/.test(date1904),
  });
}

interface SheetList {
  readonly sheets: { readonly name: string; readonly part: string }[];
  /** Names of hidden sheets. */
  readonly hidden: string[];
  /** Names of sheets that the file does not contain. */
  readonly missing: string[];
}

/** Lists the sheets of a workbook. Leaves out chart sheets, because they repeat the data of other sheets. */
function listSheets(workbook: XmlElement, relationships: Relationships): SheetList {
  const list: SheetList = { sheets: [], hidden: [], missing: [] };
  for (const { attributes } of childElements(findElement(workbook, 'sheets'), 'sheet')) {
    const { name = '', state = 'visible', id = '' } = attributes;
    const relationship = relationships.get(id);
    if (relationship === undefined) list.missing.push(name);
    else if (relationship.kind !== 'worksheet') continue;
    else if (state === 'visible') list.sheets.push({ name, part: relationship.target });
    else list.hidden.push(name);
  }
  return list;
}

async function addTextBoxes(
  builder: TextBuilder,
  parts: OfficePackage,
  sheet: string,
): Promise<void> {
  const drawing = findTarget(await parts.relationshipsOf(sheet), 'drawing');
  const part = drawing === null ? null : await parts.readPart(drawing);
  if (part !== null) addDrawnParagraphs(builder, part);
}
