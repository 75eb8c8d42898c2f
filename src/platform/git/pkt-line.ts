import { GitError } from './git-error.ts';

/** A line of Git's protocol, or a marker: the end of a section or the end of the message. */
export type PktLine = Buffer | 'flush' | 'delimiter' | 'end';

/** Encodes a line: its length in four hexadecimal digits, then its content. */
export function pktLine(text: string): Buffer {
  const content = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content]);
}

export const flushLine = Buffer.from('0000');
export const delimiterLine = Buffer.from('0001');

/** Maximum number of lines. Large responses stay below it, because servers send lines of several kilobytes. */
const maxLines = 500_000;

const special = { 0: 'flush', 1: 'delimiter', 2: 'end' } as const;

/**
 * Yields the lines of a message.
 * @throws GitError when the message does not have the format of https://git-scm.com/docs/gitprotocol-common
 */
export function* parsePktLines(message: Buffer): Generator<PktLine> {
  let count = 0;
  for (let at = 0; at < message.length; ) {
    count += 1;
    if (count > maxLines) throw new GitError('The answer has too many lines');
    const digits = message.toString('latin1', at, at + 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (length === 0 || length === 1 || length === 2) {
      yield special[length];
      at += 4;
      continue;
    }
    if (!(length >= 4) || at + length > message.length) {
      throw new GitError("The answer is not in the format of Git's protocol");
    }
    yield message.subarray(at + 4, at + length);
    at += length;
  }
}

/** Returns the text of a line without its line break. */
export function textOf(line: Buffer): string {
  return line.toString('utf8').replace(/\n$/, '');
}
