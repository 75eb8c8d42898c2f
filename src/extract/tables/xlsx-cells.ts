import { cleanLine } from '../clean-text.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';
import { createNumberFormatter } from './xlsx-number-format.ts';
import { isStruck, richText, unescapeText } from './xlsx-rich-text.ts';

/** Returns the text of a cell on one line, in the form that the sheet shows. Returns '' for errors. */
export type CellFormatter = (cell: XmlElement) => string;

interface WorkbookContents {
  readonly strings: readonly string[];
  readonly styles: XmlElement | null;
  /** Whether dates count from 1904, as in files from early Macs. */
  readonly is1904: boolean;
}

/** Creates a formatter of the cells of a workbook (ECMA-376 part 1, 18.18.11 and 18.8.30). */
export function createCellFormatter({ strings, styles, is1904 }: WorkbookContents): CellFormatter {
  const formatNumber = createNumberFormatter(is1904);
  const codes = new Map(
    childElements(findElement(styles ?? undefined, 'numFmts'), 'numFmt').map(
      ({ attributes: { numFmtId = '', formatCode = '' } }) => [numFmtId, formatCode],
    ),
  );
  const fonts = childElements(findElement(styles ?? undefined, 'fonts'), 'font');
  const formats = childElements(findElement(styles ?? undefined, 'cellXfs'), 'xf').map(
    ({ attributes: { numFmtId = '0', fontId = '0' } }) => ({
      id: numFmtId,
      isStruck: isStruck(fonts[Number(fontId)]),
    }),
  );
  return (cell) => {
    const { t: type = 'n', s: style = '0' } = cell.attributes;
    const cellFormat = formats[Number(style)];
    if (cellFormat?.isStruck) return '';
    const inline = findElement(cell, 'is');
    if (type === 'inlineStr') return inline === undefined ? '' : cleanLine(richText(inline));
    const value = textOf(findElement(cell, 'v') ?? emptyElement);
    if (type === 's') return value.trim() === '' ? '' : cleanLine(strings[Number(value)] ?? '');
    if (type === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : '';
    if (type === 'e') return '';
    if (type !== 'n') return cleanLine(unescapeText(value));
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isNaN(number)) return cleanLine(value);
    const formatId = cellFormat?.id ?? '0';
    return cleanLine(formatNumber(number, codes.get(formatId) ?? Number(formatId)));
  };
}

const emptyElement: XmlElement = { name: '', attributes: {}, children: [] };
