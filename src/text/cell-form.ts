/** Returns the form of a cell, which is the same for `K-11` and `K-2`, and for `27 euros` and `3 euros`. */
export function cellForm(cell = ''): string {
  return cell.replace(/\p{Nd}+/gu, '0').replace(/\p{L}+/gu, 'a');
}
