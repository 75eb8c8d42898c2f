import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

export const ruleFiles = ['.gitignore', '.groundedignore'];
/** Folders that never contain documents of people. */
const alwaysIgnored = ['node_modules/', '.*'];

/** Ignore rules that apply in a folder: those of the sync's root first, then of each folder on the way down. */
export type IgnoreRules = readonly { readonly base: string; readonly rules: Ignore }[];

/** Returns the rules of the root. They ignore hidden files and what `exclude` matches. */
export function rootRules(exclude: readonly string[]): IgnoreRules {
  return [
    {
      base: '',
      rules: ignore()
        .add(alwaysIgnored)
        .add([...exclude]),
    },
  ];
}

/** Adds the rules that the folder itself contains. `base` is its path below the root, with `/` at its end. */
export async function withFolderRules(
  outer: IgnoreRules,
  directory: string,
  base: string,
): Promise<IgnoreRules> {
  const texts = await Promise.all(ruleFiles.map((name) => readRules(join(directory, name))));
  const added = texts.filter((text) => text !== null);
  return added.length === 0 ? outer : [...outer, { base, rules: ignore().add(added.join('\n')) }];
}

/**
 * Whether the path is ignored. As in Git, the rules of the innermost folder decide, so they can include again what
 * outer ones ignore. Options of the command line and hidden files come first.
 * @param path below the root; of a folder with `/` at its end.
 */
export function isIgnored(path: string, [root, ...folders]: IgnoreRules): boolean {
  if (root?.rules.ignores(path)) return true;
  for (const { base, rules } of folders.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Returns a function that says whether a path matches one of the patterns. Without patterns, all paths match. */
export function createIncludeFilter(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => true;
  const rules = ignore().add([...patterns]);
  return (path) => rules.ignores(path);
}

async function readRules(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
