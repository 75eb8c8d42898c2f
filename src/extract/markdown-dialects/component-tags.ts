/** A tag of a component, such as `<TabItem label="iPhone">`, from its `<` to its `>`. */
export interface ComponentTag {
  readonly name: string;
  readonly attributes: string;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
  readonly length: number;
}

const maxTagLength = 2_000;
const maxBraces = 12;
const start = /^<(\/?)([A-Z][\w.]{0,60})(?=[\s/>])/;

/** Returns the tag of a component at this position, or null. Understands `>` in quotes and braces. */
export function readComponentTag(text: string, at: number): ComponentTag | null {
  const [opening, slash, name] = start.exec(text.slice(at, at + 80)) ?? [];
  if (opening === undefined || name === undefined) return null;
  let quote = '';
  let braces = 0;
  for (let end = at + opening.length; end < Math.min(text.length, at + maxTagLength); end += 1) {
    const character = text.charAt(end);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (/["'`]/.test(character)) quote = character;
    else if (character === '{') braces += 1;
    else if (character === '}') braces -= 1;
    else if (character === '<' && braces === 0) return null;
    else if (character === '>' && braces === 0) {
      const attributes = text.slice(at + opening.length, end);
      const isEmpty = attributes.endsWith('/');
      return { name, attributes, isEnd: slash === '/', isEmpty, length: end + 1 - at };
    }
    if (braces > maxBraces || braces < 0) return null;
  }
  return null;
}

/** Returns the text of an attribute in quotes or braces, or ''. `names` are in order of preference. */
export function attributeOf(attributes: string, names: readonly string[]): string {
  const values = new Map<string, string>();
  for (const match of attributes.matchAll(attributePattern)) {
    const [, name = '', double, single, braced, plain] = match;
    const value = double ?? single ?? braced ?? plain;
    if (value !== undefined && !values.has(name.toLowerCase()))
      values.set(name.toLowerCase(), value);
  }
  const name = names.find((one) => values.has(one));
  return name === undefined ? '' : (values.get(name) ?? '').trim();
}

const attributePattern =
  /(?<![\w-])([a-z][\w-]{0,40})\s?=\s?(?:"([^"]*)"|'([^']*)'|\{\s?["'`]([^"'`]*)["'`]\s?\}|([\w.-]+))/gi;
