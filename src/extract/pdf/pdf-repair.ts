/**
 * Matches a page object. The lookahead ends where the next object starts, so that no part of the file is read twice.
 */
const pageObject =
  /(?:^|\s)(\d{1,9}) (\d{1,5}) obj\b(?=[^<]{0,20}<<(?:(?!endobj| obj\b)[\s\S]){0,2000}?\/Type\s*\/Page\b(?!s))/g;
const anyObject = /(?:^|\s)(\d{1,9}) \d{1,5} obj\b/g;

/**
 * Repairs a truncated PDF: appends a page tree with the pages that remain. Returns null if no pages remain, or if the
 * file is encrypted, because its encryption dictionary was in the lost trailer.
 */
export function repairPdf(bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const source = file.toString('latin1');
  if (source.includes('/Encrypt')) return null;
  const pages = [...source.matchAll(pageObject)].map(
    ([, id, generation]) => `${id} ${generation} R`,
  );
  if (pages.length === 0) return null;
  const highest = [...source.matchAll(anyObject)].reduce(
    (most, [, id]) => Math.max(most, Number(id)),
    0,
  );
  const tree = highest + 1;
  const catalog = highest + 2;
  const end = `
endstream
endobj
${tree} 0 obj
<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(' ')}] >>
endobj
${catalog} 0 obj
<< /Type /Catalog /Pages ${tree} 0 R >>
endobj
trailer
<< /Size ${catalog + 1} /Root ${catalog} 0 R >>
startxref
0
%%EOF
`;
  return Buffer.concat([file, Buffer.from(end, 'latin1')]);
}
