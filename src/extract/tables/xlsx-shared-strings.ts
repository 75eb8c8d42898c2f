import type { OfficePackage } from '../office/office-package.ts';
import { richText } from './xlsx-rich-text.ts';

/** Returns the shared texts of a workbook. Cells refer to them by index. */
export async function readSharedStrings(
  parts: OfficePackage,
  part: string | null,
): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === null) return strings;
  await parts.readPart(part, (element) => {
    if (element.name !== 'si') return false;
    strings.push(richText(element));
    return true;
  });
  return strings;
}
