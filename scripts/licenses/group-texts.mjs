/** A line that names the owner, such as `Copyright (c) 2020 Name`, and not a sentence about copyright. */
const copyrightLine =
  /^\W*(?:Copyright\b(?! (?:notice|License|holder|owner))|\([cC]\) \d{4}|© ?)|^\W*All rights reserved\.?$/;

/** Titles that differ although the text after them is the same. */
const titleLine =
  /^[\s#=-]*(?:\(?(?:The )?(?:MIT|ISC|BSD|Apache)[^.]{0,40}?Licen[cs]e\W*(?:\(MIT\)|\(ISC\))?\W*|License|# MIT)?$/i;

/**
 * Returns each licence text once, without its copyright lines, and the packages that have it, with these lines. A
 * package without a licence file gets the most frequent text of its licence, and its author as the owner.
 * @returns {{text: string, owners: {id: string, lines: string[]}[]}[]}
 */
export function groupTexts(packages) {
  const groups = new Map();
  for (const { id, license, texts } of packages) {
    for (const text of texts) addTo(groups, { id, license, ...split(text) });
  }
  for (const { id, license, author } of packages.filter(({ texts }) => texts.length === 0)) {
    const usual = [...groups.values()]
      .filter((group) => group.license === license)
      .reduce((best, group) => (group.owners.length > best.owners.length ? group : best));
    usual.owners.push({ id, lines: [`Copyright (c) ${author ?? `the authors of ${id}`}`] });
  }
  return [...groups.values()];
}

function addTo(groups, { id, license, lines, body }) {
  const key = `${license} ${body
    .filter((line) => !titleLine.test(line))
    .join(' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`;
  const group = groups.get(key) ?? { license, text: trimLines(body), owners: [] };
  groups.set(key, group);
  group.owners.push({ id, lines });
}

function split(text) {
  const all = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const isOwner = (line) => line.length < 200 && copyrightLine.test(line);
  return {
    lines: all.filter(isOwner).map((line) => line.replace(/\s+/g, ' ').trim()),
    body: all.filter((line) => !isOwner(line)),
  };
}

function trimLines(lines) {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}
