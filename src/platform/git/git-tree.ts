import type { GitObject } from './pack-file.ts';

/** A file of a commit. */
export interface GitFile {
  readonly path: string;
  /** Id of its content. */
  readonly blob: string;
}

const maxDepth = 100;
/** About 50,000 entries. */
const maxTreeBytes = 2_000_000;
/** A commit of a few kilobytes can have billions of paths, if its trees contain each other several times. */
const maxEntries = 300_000;

/** Returns the id of the tree of a commit, or null if the commit is damaged. */
export function treeOfCommit({ data }: GitObject): string | null {
  return /^tree ([0-9a-f]{40})\n/.exec(data.toString('latin1', 0, 46))?.[1] ?? null;
}

/**
 * Yields the files of a tree in the order of Git, without symbolic links and submodules. Calls `onIncomplete` for trees
 * that are not in `objects` or too large, and after too many entries.
 */
export function* listFiles(
  objects: ReadonlyMap<string, GitObject>,
  tree: string,
  onIncomplete: () => never,
  base = '',
): Generator<GitFile> {
  let count = 0;
  function* walk(id: string, base: string, depth: number): Generator<GitFile> {
    const object = objects.get(id);
    if (!isTree(object) || depth > maxDepth) return onIncomplete();
    for (const { mode, name, id } of entriesOf(object.data)) {
      count += 1;
      if (count > maxEntries) onIncomplete();
      const path = `${base}${name}`;
      if (mode === '40000') yield* walk(id, `${path}/`, depth + 1);
      else if (mode.startsWith('100')) yield { path, blob: id };
    }
  }
  yield* walk(tree, base, 0);
}

function isTree(object: GitObject | undefined): object is GitObject {
  return object?.type === 'tree' && object.data.length <= maxTreeBytes;
}

/** Returns the id of the tree or the file at a path below `tree`, or null. */
export function findEntry(
  objects: ReadonlyMap<string, GitObject>,
  tree: string,
  path: string,
): { readonly isTree: boolean; readonly id: string } | null {
  let found: { isTree: boolean; id: string } | null = { isTree: true, id: tree };
  const parts = path.split('/').filter(Boolean);
  if (parts.length > maxDepth) return null;
  for (const part of parts) {
    const object: GitObject | undefined = found?.isTree ? objects.get(found.id) : undefined;
    if (!isTree(object)) return null;
    const entry: TreeEntry | undefined = [...entriesOf(object.data)].find(
      ({ name }) => name === part,
    );
    found = entry === undefined ? null : { isTree: entry.mode === '40000', id: entry.id };
  }
  return found;
}

interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

function* entriesOf(data: Buffer): Generator<TreeEntry> {
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const end = data.indexOf(0, at);
    if (space < at || end < space || end + 21 > data.length) return;
    yield {
      mode: data.toString('latin1', at, space),
      name: data.toString('utf8', space + 1, end),
      id: data.toString('hex', end + 1, end + 21),
    };
    at = end + 21;
  }
}
