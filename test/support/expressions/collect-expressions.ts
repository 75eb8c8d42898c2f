import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

export interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Regular expressions of a file: its literals, and the places that compile one, as `file:line`. */
interface FileExpressions {
  readonly literals: readonly Expression[];
  readonly places: readonly string[];
}

export function readExpressions(file: string): FileExpressions {
  const literals: Expression[] = [];
  const places: string[] = [];
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (compilesExpression(node)) {
      places.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return { literals, places };
}

/** `new RegExp(…)` or `RegExp(…)`. */
function compilesExpression(node: ts.Node): boolean {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  return isCall && node.expression.getText() === 'RegExp';
}

/**
 * Returns the regular expressions that are compiled while files are imported and functions are called, with the place
 * of each. Must run in its own thread, because it replaces `RegExp`. Finds nothing in a file that was already imported.
 */
export async function constructedExpressions(
  files: readonly string[],
  callFunctions: () => Promise<void>,
): Promise<(Expression & { readonly place: string })[]> {
  const found: (Expression & { readonly place: string })[] = [];
  const original = globalThis.RegExp;
  const note = (made: RegExp): RegExp => {
    const frame = new Error().stack?.split('\n').find((line) => line.includes('/src/')) ?? '';
    const [, file, line] = /(src\/[^:?]*\.ts)[^:]*:(\d+)/.exec(frame) ?? [];
    if (file !== undefined) {
      found.push({ file, source: made.source, flags: made.flags, place: `${file}:${line}` });
    }
    return made;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags], newTarget) =>
      note(Reflect.construct(target, [source, flags], newTarget)),
    apply: (target, self, [source, flags]) => note(Reflect.apply(target, self, [source, flags])),
  });
  try {
    for (const file of files) await import(resolve(file));
    await callFunctions();
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}
