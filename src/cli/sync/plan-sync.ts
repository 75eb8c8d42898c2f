import { maxExternalIdLength } from '../../domain/knowledge/document-details.ts';
import { shortenExternalId } from '../../domain/sources/source-document.ts';
import { trimTrailingSlashes } from '../../platform/trim-trailing-slashes.ts';
import type { FolderFile, FolderFiles } from './folder-files.ts';
import type { TargetDocument } from './sync-target.ts';

/** The files of a sync by their outcome. Paths are relative to the folder. */
export interface SyncPlan {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly { readonly id: string; readonly path: string }[];
  readonly refused: { readonly path: string; readonly reason: string }[];
}

/** Determines external ids and addresses of documents from the paths of their files. */
export interface Naming {
  /** Prefix of all external ids of the sync. */
  readonly prefix: string;
  /** Address of the folder for readers, or null. */
  readonly linkBase: string | null;
}

export function prefixOf(name: string): string {
  return `sync:${name}/`;
}

/** Returns the external id of a file. If the path is long, a hash replaces its end. */
export function externalIdOf({ prefix }: Naming, path: string): string {
  return shortenExternalId(`${prefix}${normalize(path)}`);
}

function normalize(path: string): string {
  return path.normalize('NFC').toWellFormed();
}

export function sourceUrlOf({ linkBase }: Naming, path: string): string | null {
  if (linkBase === null) return null;
  const encoded = path.split('/').map((part) => encodeURIComponent(part.toWellFormed()));
  return `${trimTrailingSlashes(linkBase)}/${encoded.join('/')}`;
}

/** Compares a folder with those documents of the project whose external ids have the prefix. */
export function planSync(
  { files, refused }: FolderFiles,
  documents: readonly TargetDocument[],
  naming: Naming,
): SyncPlan {
  const known = new Map(documents.map((document) => [document.externalId, document]));
  const plan = {
    ...{ added: [] as string[], changed: [] as string[], unchanged: [] as string[] },
    refused: [...refused],
  };
  const wanted = new Set<string>();
  for (const file of files) {
    const externalId = externalIdOf(naming, file.path);
    if (wanted.has(externalId)) {
      const reason = 'Another file has the same name in Unicode normal form';
      plan.refused.push({ path: file.path, reason });
      continue;
    }
    wanted.add(externalId);
    const document = known.get(externalId);
    if (document === undefined) plan.added.push(file.path);
    else if (!isSame(document, file, naming)) plan.changed.push(file.path);
    else if (document.failure === null) plan.unchanged.push(file.path);
    else plan.refused.push({ path: file.path, reason: document.failure });
  }
  const keptIds = new Set(refused.map(({ path }) => externalIdOf(naming, path)));
  // The external id of a long path is cut off. So cut off the folder in the same way.
  const keptFolders = refused
    .filter(({ path }) => path.endsWith('/'))
    .map(({ path }) => `${naming.prefix}${normalize(path)}`.slice(0, maxExternalIdLength - 65));
  const isKept = (externalId: string) =>
    keptIds.has(externalId) || keptFolders.some((folder) => externalId.startsWith(folder));
  const removed = documents.flatMap(({ id, externalId }) => {
    if (externalId === null || wanted.has(externalId) || isKept(externalId)) return [];
    return [{ id, path: externalId.slice(naming.prefix.length) }];
  });
  removed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...plan, removed };
}

function isSame(document: TargetDocument, file: FolderFile, naming: Naming): boolean {
  const sourceUrl = sourceUrlOf(naming, file.path);
  return (
    document.contentHash === file.sha256 && (sourceUrl === null || document.sourceUrl === sourceUrl)
  );
}
