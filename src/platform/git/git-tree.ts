import { createWorkTurns } from '../work-turns.ts';
import type { GitObject } from './pack-file.ts';

/** A file of a commit. */
export interface GitFile {
  readonly path: string;
  /** Id of the blob object that contains the file's content. */
  readonly blob: string;
}

const maxDepth = 100;
/** Maximum length of a path in bytes. Files with longer paths are skipped. */
const maxPathBytes = 1_024;
/** Maximum size of one tree. It is enough for about 50,000 entries. */
const maxTreeBytes = 2_000_000;
/**
 * Maximum number of entries. A commit of a few kilobytes can have billions of paths, if a tree occurs several times in
 * another tree.
 */
const maxEntries = 300_000;
/** Maximum size of all trees that are read. A tree is counted for each path on which it occurs. */
const maxWalkedBytes = 100_000_000;

/** Returns the id of the tree of a commit, or null if the commit is damaged. */
export function treeOfCommit({ data }: GitObject): string | null {
  return /^tree ([0-9a-f]{40})\n/.exec(data.toString('latin1', 0, 46))?.[1] ?? null;
}

/**
 * Yields the files of a tree in Git's order. Skips symbolic links, submodules and paths that are too long. Calls
 * `onIncomplete` if a tree is too large or is not in `objects`, or if there are too many entries.
 */
export async function* listFiles(
  objects: ReadonlyMap<string, GitObject>,
  tree: string,
  { base = '', onIncomplete, signal }: ListOptions,
): AsyncGenerator<GitFile> {
  const levels: Level[] = [];
  let count = 0;
  let walkedBytes = 0;
  const turns = createWorkTurns(signal);
  const enter = (id: string, path: string) => {
    const object = objects.get(id);
    if (!isTree(object) || levels.length > maxDepth) return onIncomplete();
    walkedBytes += object.data.length;
    if (walkedBytes > maxWalkedBytes) return onIncomplete();
    levels.push({
      base: path,
      baseBytes: Buffer.byteLength(path),
      entries: entriesOf(object.data),
    });
  };
  enter(tree, base);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (turns.isOver()) await turns.next();
    const { done, value: entry } = level.entries.next();
    if (done) {
      levels.pop();
      continue;
    }
    count += 1;
    if (count > maxEntries) onIncomplete();
    if (level.baseBytes + entry.name.length > maxPathBytes) continue;
    const path = `${level.base}${entry.name.toString('utf8')}`;
    if (entry.mode === folderMode) enter(entry.id, `${path}/`);
    else if (isFile(entry)) yield { path, blob: entry.id };
  }
}

interface ListOptions {
  /** Path of the tree. It ends with `/`. */
  readonly base?: string;
  onIncomplete(): never;
  readonly signal: AbortSignal;
}

/** A folder whose entries are being read. */
interface Level {
  readonly base: string;
  readonly baseBytes: number;
  readonly entries: Generator<TreeEntry, undefined>;
}

const folderMode = '40000';

function isFile({ mode }: TreeEntry): boolean {
  return mode.startsWith('100');
}

function isTree(object: GitObject | undefined): object is GitObject {
  return object?.type === 'tree' && object.data.length <= maxTreeBytes;
}

/**
 * Returns the id of the tree or file at a path below `tree`. Returns null if there is none, or if the path is a link or
 * a submodule.
 */
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
    const entry = entryOf(object, part);
    if (entry === null || (entry.mode !== folderMode && !isFile(entry))) return null;
    found = { isTree: entry.mode === folderMode, id: entry.id };
  }
  return found;
}

function entryOf({ data }: GitObject, name: string): TreeEntry | null {
  const bytes = Buffer.from(name, 'utf8');
  for (const entry of entriesOf(data)) if (entry.name.equals(bytes)) return entry;
  return null;
}

interface TreeEntry {
  readonly mode: string;
  readonly name: Buffer;
  readonly id: string;
}

function* entriesOf(data: Buffer): Generator<TreeEntry, undefined> {
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const end = data.indexOf(0, at);
    if (space < at || end < space || end + 21 > data.length) return;
    yield {
      mode: data.toString('latin1', at, space),
      name: data.subarray(space + 1, end),
      id: data.toString('hex', end + 1, end + 21),
    };
    at = end + 21;
  }
}
