import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { addMetadata, type DocumentMetadata } from '../../domain/knowledge/document-details.ts';
import { DomainError } from '../../platform/errors.ts';
import type { TargetDocument } from './sync-target.ts';

/** Metadata key that stores from which folder a document was sent. */
const originKey = 'sync.origin';

/** Origin of the synchronized folder, and whether this folder may replace another one. */
export interface SyncOrigin {
  readonly origin: string;
  readonly takesOver: boolean;
}

/** Returns the origin of a folder of this machine. It is a hash, because readers of citations can see the metadata. */
export function originOfFolder(root: string): string {
  return createHash('sha256').update(`${hostname()}\0${root}`).digest('hex').slice(0, 16);
}

export function originMetadata(origin: string): DocumentMetadata {
  return { [originKey]: origin };
}

/**
 * Returns the metadata with the origin. Returns null if the metadata already has this origin, or would have too many
 * keys.
 */
export function renewedMetadata(
  metadata: DocumentMetadata,
  origin: string,
): DocumentMetadata | null {
  if (metadata[originKey] === origin) return null;
  return addMetadata(metadata, originMetadata(origin));
}

/**
 * Documents without an origin were sent by an earlier version and are accepted for any folder.
 * @throws DomainError CONFLICT when documents were sent from another folder that this one may not replace
 */
export function requireSameOrigin(
  documents: readonly TargetDocument[],
  prefix: string,
  { origin, takesOver }: SyncOrigin,
): void {
  if (takesOver) return;
  const others = documents.filter(({ metadata }) => {
    const stored = metadata[originKey];
    return stored !== undefined && stored !== origin;
  });
  const [first] = others;
  if (first === undefined) return;
  throw new DomainError(
    'CONFLICT',
    `${others.length} of ${documents.length} documents whose external id starts with ${prefix} were sent from another folder or machine (origin ${first.metadata[originKey]}, and this folder has ${origin}), so nothing was changed. For two different folders, give this one another --name. If this folder replaces the other one, use --take-over. For one folder on changing machines, use the same --origin everywhere`,
  );
}
