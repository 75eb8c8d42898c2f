// Reads a `.env` that Node's `--env-file` cannot read. Plain JavaScript without dependencies, as `run.mjs`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns how a program gets the settings in the file: arguments of Node, or variables of its environment. Node ignores
 * the first variable after a byte order mark, and everything in UTF-16, without a message. Editors and shells of
 * Windows write both.
 * @returns {{args: string[], env: Record<string, string>}}
 */
export function envFileSettings(path, node) {
  if (!existsSync(path)) return { args: [], env: {} };
  const bytes = readFileSync(path);
  const encoding = encodingOf(bytes);
  if (encoding === null) return { args: ['--env-file=.env'], env: {} };
  return { args: [], env: parseWith(node, decode(bytes, encoding)) };
}

/** Returns the encoding, or null if the file is UTF-8 without a byte order mark. */
function encodingOf(bytes) {
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf) return 'utf8';
  const isPaired = bytes.length >= 2 && bytes.length % 2 === 0;
  const mark = isPaired ? bytes.readUInt16BE(0) : 0;
  // Without a mark, the first character is ASCII: of its two bytes, one is zero.
  if (mark === 0xfffe || (isPaired && bytes[0] !== 0 && bytes[1] === 0)) return 'utf16le';
  if (mark === 0xfeff || (isPaired && bytes[0] === 0 && bytes[1] !== 0)) return 'utf16be';
  if (bytes.includes(0)) {
    throw new Error('The file .env is not text in UTF-8. Save it with the encoding UTF-8.');
  }
  return null;
}

function decode(bytes, encoding) {
  const ordered = encoding === 'utf16be' ? Buffer.from(bytes).swap16() : bytes;
  return ordered.toString(encoding === 'utf8' ? 'utf8' : 'utf16le').replace(/^\ufeff/, '');
}

/** The launcher may run on an old Node without `parseEnv`, so the project's Node parses the text. */
function parseWith(node, text) {
  const script = `const { parseEnv } = require('node:util');
    process.stdout.write(JSON.stringify(parseEnv(require('node:fs').readFileSync(0, 'utf8'))));`;
  return JSON.parse(execFileSync(node, ['-e', script], { input: text, encoding: 'utf8' }));
}
