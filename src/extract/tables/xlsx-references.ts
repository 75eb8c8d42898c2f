/** Returns the column, from 1, of a cell reference such as `AB12`, or null if it has none. */
export function columnNumber(reference: string): number | null {
  const letters = /^\$?([A-Z]{1,3})/i.exec(reference)?.[1]?.toUpperCase() ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? null : column;
}

/** Returns the row, from 1, of a cell reference such as `AB12`, or 0 if it has none. */
export function rowNumber(reference: string): number {
  return Number(/^\$?[A-Z]{1,3}\$?(\d{1,7})$/i.exec(reference)?.[1] ?? 0);
}
