import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

export const ruleFiles = ['.gitignore', '.groundedignore'];
/** Folders that never contain documents that people wrote. */
const alwaysIgnored = ['node_modules/', '.*'];

/**
 * Ignore rules that apply in a folder. The first are those of the sync's root. Then each folder on the way down
 * follows.
 */
export type IgnoreRules = readonly { readonly base: string; readonly rules: Ignore }[];

/** Returns the rules of the root. They ignore hidden files and all paths that `exclude` matches. */
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

/** Adds the rules that the folder itself contains. `base` is the folder's path below the root, and ends with `/`. */
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
 * Whether the path is ignored. Options of the command line and the rule for hidden files decide first. Then, as in Git,
 * the rules of the innermost folder decide: they can include a path again that outer rules ignore.
 * @param path path below the root. The path of a folder ends with `/`.
 */
export function isIgnored(path: string, [root, ...folders]: IgnoreRules): boolean {
  if (root?.rules.ignores(path)) return true;
  for (const { base, rules } of folders.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Returns a function that checks whether a path matches one of the patterns. Without patterns, all paths match. */
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
