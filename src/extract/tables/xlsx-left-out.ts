import { counted } from '../../text/counted.ts';
import { isEmbedded, type OfficePackage } from '../office/office-package.ts';
import type { TextBuilder } from '../text-builder.ts';
import { commentsLeftOut, embeddedLeftOut, listNames, partsMissing } from '../warning-texts.ts';
import { childElements, findElement } from '../xml-tree.ts';
import type { Sheet } from './xlsx-sheet.ts';

/** Parts of a workbook that are missing in its extracted text. */
export interface LeftOut {
  readonly hiddenSheets: readonly string[];
  readonly missingSheets: string[];
  hiddenRows: number;
  hiddenColumns: number;
  unknownResults: number;
  comments: number;
  embedded: number;
}

export function createLeftOut(
  hiddenSheets: readonly string[],
  missingSheets: readonly string[],
): LeftOut {
  return {
    hiddenSheets,
    missingSheets: [...missingSheets],
    hiddenRows: 0,
    hiddenColumns: 0,
    unknownResults: 0,
    comments: 0,
    embedded: 0,
  };
}

/** Counts the parts of a sheet that are left out. `sheet` is null if the file does not contain the sheet. */
export async function countLeftOut(
  leftOut: LeftOut,
  parts: OfficePackage,
  {
    name,
    part,
    sheet,
  }: { readonly name: string; readonly part: string; readonly sheet: Sheet | null },
): Promise<void> {
  if (sheet === null) leftOut.missingSheets.push(name);
  leftOut.hiddenRows += sheet?.hiddenRows ?? 0;
  leftOut.hiddenColumns += sheet?.hiddenColumns ?? 0;
  leftOut.unknownResults += sheet?.unknownResults ?? 0;
  for (const relationship of (await parts.relationshipsOf(part)).values()) {
    if (isEmbedded(relationship)) leftOut.embedded += 1;
    const { kind, target } = relationship;
    // Threaded comments are not counted, because each is repeated as a simple comment for older programs.
    if (kind !== 'comments') continue;
    const comments = await parts.readOptionalPart(target);
    leftOut.comments += childElements(findElement(comments, 'commentList'), 'comment').length;
  }
}

export function warnOfLeftOut(builder: TextBuilder, leftOut: LeftOut): void {
  builder.warn('HIDDEN_PARTS', hiddenLeftOut(leftOut));
  builder.warn('MISSING_VALUES', resultsMissing(leftOut.unknownResults));
  builder.warn('COMMENTS', commentsLeftOut(leftOut.comments));
  builder.warn('ATTACHED_FILES', embeddedLeftOut(leftOut.embedded));
  builder.warn('UNREAD_PARTS', partsMissing('sheet', leftOut.missingSheets));
}

function hiddenLeftOut({ hiddenSheets, hiddenRows, hiddenColumns }: LeftOut): string | null {
  const kinds = [
    hiddenSheets.length > 0 &&
      `${counted(hiddenSheets.length, 'sheet')} (${listNames(hiddenSheets)})`,
    hiddenRows > 0 && counted(hiddenRows, 'row'),
    hiddenColumns > 0 && counted(hiddenColumns, 'column'),
  ].filter((kind) => kind !== false);
  if (kinds.length === 0) return null;
  return `Hidden parts were left out: ${kinds.join(', ')}. Unhide them to include them.`;
}

function resultsMissing(count: number): string | null {
  if (count === 0) return null;
  return `The results of ${counted(count, 'formula')} are not stored in the file. Open it in a spreadsheet program, and save it again.`;
}
