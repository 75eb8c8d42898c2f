/** A LISTEN or UNLISTEN statement. The `channel` '*' means all channels, and only UNLISTEN can have it. */
export interface ListenStatement {
  verb: 'LISTEN' | 'UNLISTEN';
  channel: string;
}

/** Returns all LISTEN and UNLISTEN statements of an SQL text, in order. */
export function findListenStatements(sql: string): ListenStatement[] {
  if (!/\b(?:un)?listen\b/i.test(sql)) return [];
  const found: ListenStatement[] = [];
  let statement: string[] = [];
  const finish = () => {
    const verb = statement[0]?.toUpperCase();
    const channel = statement[1];
    if (channel !== undefined && (verb === 'LISTEN' || verb === 'UNLISTEN')) {
      found.push({ verb, channel: readIdentifier(channel) });
    }
    statement = [];
  };
  for (const [token] of sql.matchAll(sqlToken)) {
    if (token === ';') finish();
    else if (!/^(?:\s|--|\/\*)/.test(token) && statement.length < 2) statement.push(token);
  }
  finish();
  return found;
}

/** Normalizes an identifier as Postgres does: lower case unless quoted, truncated to 63 bytes. */
function readIdentifier(token: string): string {
  const name = token.startsWith('"')
    ? token.slice(1, -1).replaceAll('""', '"')
    : token.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
  if (Buffer.byteLength(name) <= maxIdentifierBytes) return name;
  return new TextDecoder().decode(Buffer.from(name).subarray(0, maxIdentifierBytes), {
    stream: true,
  });
}

const maxIdentifierBytes = 63;

/**
 * Matches one SQL token: white space, comment, string, quoted identifier, dollar-quoted string, word, or one character.
 * Covers the tokens that can contain semicolons: https://www.postgresql.org/docs/18/sql-syntax-lexical.html
 */
const sqlToken = new RegExp(
  [
    String.raw`\s+`,
    String.raw`--[^\n]*`,
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`[eE]'(?:\\[\s\S]|[^'\\])*'?`,
    `'[^']*'?`,
    `"(?:[^"]|"")*"`,
    String.raw`\$(?<tag>(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[\s\S]*?(?:\$\k<tag>\$|$)`,
    String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`,
    String.raw`[\s\S]`,
  ].join('|'),
  'g',
);
