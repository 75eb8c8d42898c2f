/** A part of a regular expression. */
export type Part =
  /** Matches one character: a literal, an escape, a class or a dot. `source` is itself a valid regular expression. */
  | { readonly type: 'character'; readonly source: string }
  | { readonly type: 'choice'; readonly options: readonly (readonly Part[])[] }
  | { readonly type: 'repeat'; readonly part: Part; readonly min: number; readonly max: number }
  /** Negative lookaround. Matches an empty text, but the engine searches for the part first. */
  | { readonly type: 'without'; readonly part: Part }
  /** Matches an empty text at a position, or the text of an earlier group. */
  | { readonly type: 'empty' };

/** Parses a valid regular expression. Positive lookaround counts as a group. */
export function parseExpression(source: string): Part {
  let rest = source;
  const take = (pattern: RegExp): string | null => {
    const found = pattern.exec(rest)?.[0] ?? null;
    if (found !== null) rest = rest.slice(found.length);
    return found;
  };
  const readChoice = (): Part => {
    const options: Part[][] = [[]];
    while (rest !== '' && !rest.startsWith(')')) {
      if (take(/^\|/) !== null) options.push([]);
      else options.at(-1)?.push(readRepeat(readPart()));
    }
    return { type: 'choice', options };
  };
  const readRepeat = (part: Part): Part => {
    const quantifier = take(/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
    if (quantifier === null) return part;
    const [, min = '', comma, max = ''] = /\{(\d+)(,?)(\d*)/.exec(quantifier) ?? [];
    if (min === '') {
      const isOptional = quantifier.startsWith('?');
      const least = quantifier.startsWith('+') ? 1 : 0;
      return { type: 'repeat', part, min: least, max: isOptional ? 1 : Number.POSITIVE_INFINITY };
    }
    const most = comma === '' ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max);
    return { type: 'repeat', part, min: Number(min), max: most };
  };
  const readPart = (): Part => {
    const opening = take(/^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/);
    if (opening !== null) {
      const choice = readChoice();
      take(/^\)/);
      return opening.endsWith('!') ? { type: 'without', part: choice } : choice;
    }
    if (take(/^(?:[$^]|\\[bB1-9]|\\k<\w+>)/) !== null) return { type: 'empty' };
    const character = take(
      /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)|.)/su,
    );
    return { type: 'character', source: character ?? '' };
  };
  return readChoice();
}
