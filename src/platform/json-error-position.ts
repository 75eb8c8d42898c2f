/** Line and column, from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns where a text stops being JSON: the start of the first token that may not be there, or the end of a text that
 * is cut off. Returns null for valid JSON. V8 gives the position in some of its messages only, and quotes the text.
 */
export function findJsonError(text: string): TextPosition | null {
  const offset = findErrorOffset(text);
  if (offset === null) return null;
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Token that must come next. After `[` and `{`, the closing bracket is also allowed. */
type Next = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

/** Uses a stack of its own, because a body may be nested more deeply than functions may call each other. */
function findErrorOffset(text: string): number | null {
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  let offset = skipSpace(text, 0);
  for (; offset < text.length; offset = skipSpace(text, offset)) {
    const token = text[offset];
    const length = scalarLength(text, offset);
    const isEnd = next === 'commaOrEnd' || next === 'valueOrEnd' || next === 'keyOrEnd';
    if (next === 'commaOrEnd' && open.length === 0) return offset;
    if (
      isEnd &&
      ((token === '}' && open.at(-1) === '{') || (token === ']' && open.at(-1) === '['))
    ) {
      open.pop();
      next = 'commaOrEnd';
      offset += 1;
    } else if (next === 'commaOrEnd') {
      if (token !== ',') return offset;
      next = open.at(-1) === '{' ? 'key' : 'value';
      offset += 1;
    } else if (next === 'colon') {
      if (token !== ':') return offset;
      next = 'value';
      offset += 1;
    } else if (next === 'key' || next === 'keyOrEnd') {
      if (token !== '"' || length === 0) return offset;
      next = 'colon';
      offset += length;
    } else if (token === '{' || token === '[') {
      open.push(token);
      next = token === '{' ? 'keyOrEnd' : 'valueOrEnd';
      offset += 1;
    } else {
      if (length === 0) return offset;
      next = 'commaOrEnd';
      offset += length;
    }
  }
  return next === 'commaOrEnd' && open.length === 0 ? null : offset;
}

function skipSpace(text: string, from: number): number {
  const spaces = /[ \t\r\n]*/y;
  spaces.lastIndex = from;
  spaces.test(text);
  return spaces.lastIndex;
}

/** Returns the length of the string, number or literal at the offset, or 0 if there is none that is complete. */
function scalarLength(text: string, offset: number): number {
  if (text[offset] === '"') return stringLength(text, offset);
  const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
  scalar.lastIndex = offset;
  return scalar.exec(text)?.[0].length ?? 0;
}

function stringLength(text: string, offset: number): number {
  const stop = /["\\\u0000-\u001f]/g;
  const escapes = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
  stop.lastIndex = offset + 1;
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    if (found[0] === '"') return stop.lastIndex - offset;
    escapes.lastIndex = found.index;
    if (!escapes.test(text)) return 0;
    stop.lastIndex = escapes.lastIndex;
  }
  return 0;
}
