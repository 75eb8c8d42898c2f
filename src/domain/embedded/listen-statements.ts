/** A LISTEN or UNLISTEN. `channel` '*' stands for all, which only UNLISTEN knows. */
export type ListenStatement = { verb: 'LISTEN' | 'UNLISTEN'; channel: string };

/** The LISTEN and UNLISTEN statements in a text of SQL, in order. */
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
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') finish();
    else if (!/^(?:\s|--|\/\*)/.test(token) && statement.length < 2) statement.push(token);
  }
  finish();
  return found;
}

/** As Postgres reads it: folded to lower case unless quoted, cut to 63 bytes. */
function readIdentifier(token: string): string {
  const name = token.startsWith('"')
    ? token.slice(1, -1).replaceAll('""', '"')
    : token.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
  if (Buffer.byteLength(name) <= MAX_IDENTIFIER_BYTES) return name;
  return new TextDecoder().decode(Buffer.from(name).subarray(0, MAX_IDENTIFIER_BYTES), {
    stream: true,
  });
}

const MAX_IDENTIFIER_BYTES = 63;

/** https://www.postgresql.org/docs/18/sql-syntax-lexical.html, as far as it hides semicolons. */
const TOKEN = new RegExp(
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
