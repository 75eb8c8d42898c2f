const PAGE_OBJECT =
  /(?:^|\s)(\d{1,9}) (\d{1,5}) obj\b(?=[^<]{0,20}<<(?:(?!endobj)[\s\S]){0,2000}?\/Type\s*\/Page\b(?!s))/g;
const OBJECT = /(?:^|\s)(\d{1,9}) \d{1,5} obj\b/g;

/**
 * A file that lost its end, with a new page tree of the pages that are still there. Null when none are,
 * or when the file is encrypted, since its key went with the end.
 */
export function repairPdf(bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const source = file.toString('latin1');
  if (source.includes('/Encrypt')) return null;
  const pages = [...source.matchAll(PAGE_OBJECT)].map(
    ([, id, generation]) => `${id} ${generation} R`,
  );
  if (pages.length === 0) return null;
  const highest = [...source.matchAll(OBJECT)].reduce(
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
