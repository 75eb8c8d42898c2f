import { ExtractError } from '../../../extract/extracted-text.ts';
import {
  type GitRepository,
  openRepository,
  type PackReader,
} from '../../../platform/git/git-client.ts';
import { GitError, TooLarge } from '../../../platform/git/git-error.ts';
import { findEntry, listFiles, treeOfCommit } from '../../../platform/git/git-tree.ts';
import type { GitObject } from '../../../platform/git/pack-file.ts';
import { withTemporaryFile } from '../../../platform/storage/uploaded-file.ts';
import {
  type Connector,
  type ItemContent,
  type ItemReader,
  maxFileBytes,
  type ReadItem,
  SourceError,
  type SourceItem,
  type SourceReading,
} from '../connector.ts';
import { createPathFilter } from '../items/path-filter.ts';
import { readItems } from '../items/read-items.ts';
import { originOf } from '../source-config.ts';
import { createFileAddress } from './file-address.ts';
import { type GitConfig, gitFields, requireValidGitConfig } from './git-config.ts';

/** Connector for Git repositories. The files in the latest commit of a branch become documents. */
export const gitConnector: Connector = {
  fields: gitFields,
  secretField: 'token',
  isSecretRequired: false,
  secretTarget: (config) => originOf((config as Partial<GitConfig>).url),
  requireValidConfig: (input, current) =>
    requireValidGitConfig(input, current as Partial<GitConfig>),
  read: (reading) =>
    readItems(reading, createGitReader, (reading.source.config as GitConfig).maxFiles),
};

/** Number of files whose contents are requested together. */
const groupFiles = 25;
const maxObjects = 300_000;
const commitLimits = { maxObjectBytes: maxFileBytes, maxTotalBytes: 100_000_000, maxObjects };
const blobLimits = { maxObjectBytes: maxFileBytes, maxTotalBytes: 60_000_000, maxObjects };

function createGitReader({ context, source, secret, organizationId }: SourceReading): ItemReader {
  const { url, branch, path, username, ...patterns } = source.config as GitConfig;
  const isWanted = createPathFilter(patterns);
  const credentials = Buffer.from(`${username}:${secret}`).toString('base64');
  const access = { url, authorization: secret === null ? null : `Basic ${credentials}` };
  let opened: Promise<GitRepository> | null = null;
  const readPack: PackReader = (pack, packLimits) =>
    withTemporaryFile(pack, (path) =>
      context.extractor.readPack(
        { path, packLimits },
        { signal: context.signal, group: organizationId },
      ),
    ).catch(throwGitError);
  const open = () => {
    opened ??= openRepository(context.webClient, access, readPack, context.signal);
    return opened;
  };
  /** Contents that the server sent together with the commit. Some servers cannot omit them. */
  let objects: ReadonlyMap<string, GitObject> = new Map();

  const readGroup = async (ids: readonly string[]): Promise<ReadonlyMap<string, GitObject>> => {
    if (ids.length === 0) return new Map();
    return (await open()).readBlobs(ids, blobLimits);
  };

  return {
    async *list() {
      const found = await orSourceError(async () => {
        const repository = await open();
        const found = await repository.findBranch(branch || null);
        if (found === null) throw new GitError('The branch does not exist');
        objects = await repository.readCommit(found.commit, commitLimits);
        return found;
      });
      const commit = objects.get(found.commit);
      const root = commit && treeOfCommit(commit);
      const top = root ? findEntry(objects, root, path) : null;
      if (top === null) throw new SourceError('The path does not exist in the branch');
      const addressOf = createFileAddress(url, found.name);
      const base = path === '' ? '' : `${path}/`;
      const files = top.isTree
        ? listFiles(objects, top.id, { base, signal: context.signal, onIncomplete })
        : [{ path, blob: top.id }];
      for await (const { path, blob } of files) {
        if (!isWanted(path)) continue;
        const name = path.slice(path.lastIndexOf('/') + 1);
        yield { id: path, version: blob, path, name, sourceUrl: addressOf(path) };
      }
    },
    async *read(items) {
      for (let at = 0; at < items.length; at += groupFiles) {
        yield* readFiles(items.slice(at, at + groupFiles));
      }
    },
  };

  async function* readFiles(items: readonly SourceItem[]): AsyncGenerator<ReadItem> {
    const ids = [...new Set(items.map(({ version }) => version))];
    const missing = ids.filter((id) => !objects.has(id));
    let blobs: ReadonlyMap<string, GitObject>;
    try {
      blobs = await readGroup(missing);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      // If the group is too large, read its files one by one. If a single file is too large, it is refused below.
      if (error instanceof TooLarge && items.length > 1) {
        for (const item of items) yield* readFiles([item]);
        return;
      }
      const reason = error instanceof TooLarge ? 'The file is too large' : error.message;
      const isFinal = error instanceof TooLarge;
      for (const item of items) yield { item, content: { type: 'refused', reason, isFinal } };
      return;
    }
    for (const item of items) {
      yield { item, content: contentOf(blobs.get(item.version) ?? objects.get(item.version)) };
    }
  }
}

function contentOf(object: GitObject | undefined): ItemContent {
  if (object?.type !== 'blob') {
    return { type: 'refused', reason: 'The server has not sent the file', isFinal: false };
  }
  const isPointer = object.data.toString('latin1', 0, 100).startsWith(lfsPointer);
  if (!isPointer) return { type: 'file', body: object.data };
  return { type: 'refused', reason: 'The file is in Git LFS, which is not read', isFinal: true };
}

const lfsPointer = 'version https://git-lfs.github.com/spec/';

function onIncomplete(): never {
  throw new SourceError('The commit has too many files, or the server has not sent all folders');
}

function throwGitError(error: unknown): never {
  if (!(error instanceof ExtractError)) throw error;
  const { message: reason } = error;
  throw error.code === 'TOO_LARGE' ? new TooLarge(reason) : new GitError(reason);
}

async function orSourceError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GitError ? new SourceError(error.message) : error;
  }
}
