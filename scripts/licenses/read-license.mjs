import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Licences of packages whose package.json names none, or not as an SPDX expression, and where the licence was read:
 * in the README or the licence file of the package. A new version must be read again.
 */
const readByHand = {
  'format@0.2.2': 'MIT',
  'seq-queue@0.0.5': 'MIT',
};

/** Licence files, also those of parts of a package, such as `LICENSE_FOXIT` or `bundle.js.LICENSE.txt`. */
const licenseFile = /^(?:licen[cs]e|copying|unlicense|notice)(?:$|[._-])|\.licen[cs]e\.txt$/i;

/**
 * Returns the SPDX expression of a package, or null if it names none, its author, and the texts of its licence files.
 * @returns {{license: string | null, author: string | null, texts: string[]}}
 */
export function readLicense({ name, version, path }) {
  const { license, licenses, author } = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  );
  const named = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
  return {
    license: readByHand[`${name}@${version}`] ?? normalize(named),
    author: authorName(author),
    texts: licenseFilesIn(path).map((file) => readFileSync(file, 'utf8').replace(/\r\n?/g, '\n')),
  };
}

function normalize(license) {
  return license?.replace(/^\((.*)\)$/, '$1').replace(/ and /g, ' AND ') ?? null;
}

function authorName(author) {
  const name = typeof author === 'string' ? author : author?.name;
  return name?.replace(/\s*[<(].*$/, '').trim() || null;
}

function licenseFilesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return licenseFilesIn(path);
      return licenseFile.test(entry.name) ? [path] : [];
    })
    .sort();
}
