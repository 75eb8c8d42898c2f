/** Returns the column of a cell reference such as `AB12`, from 1. Returns null if the reference has no column. */
export function columnNumber(reference: string): number | null {
  const letters = /^\$?([A-Z]{1,3})/i.exec(reference)?.[1]?.toUpperCase() ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? null : column;
}

/** Returns the row of a cell reference such as `AB12`, from 1. Returns 0 if the reference has no row. */
export function rowNumber(reference: string): number {
  return Number(/^\$?[A-Z]{1,3}\$?(\d{1,7})$/i.exec(reference)?.[1] ?? 0);
}
