import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

export interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns the regular expression literals of a file. */
export function literalsOf(file: string): Expression[] {
  const found: Expression[] = [];
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

/**
 * Returns the regular expressions that files compile with `new RegExp` while they are imported. Must run in its own
 * thread, because it replaces `RegExp`. Finds nothing in a file that was already imported.
 */
export async function constructedExpressions(files: readonly string[]): Promise<Expression[]> {
  const found: Expression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags], newTarget) {
      const frame = new Error().stack?.split('\n').find((line) => line.includes('/src/')) ?? '';
      const file = /src\/.*?\.ts/.exec(frame)?.[0];
      const made = Reflect.construct(target, [source, flags], newTarget);
      if (file !== undefined) found.push({ file, source: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    for (const file of files) await import(resolve(file));
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}
