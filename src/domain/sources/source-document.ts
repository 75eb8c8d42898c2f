import { createHash } from 'node:crypto';
import { DomainError } from '../../platform/errors.ts';
import { withUploadedFile } from '../../platform/storage/uploaded-file.ts';
import type { Context } from '../context.ts';
import { createDocument, uploadDocument } from '../knowledge/create-document.ts';
import {
  addMetadata,
  asMetadata,
  type DocumentMetadata,
  maxExternalIdLength,
} from '../knowledge/document-details.ts';
import type { DocumentOutcome } from '../knowledge/written-document.ts';

const maxNameLength = 255;
const maxContentCharacters = 5_000_000;

/** A document that a source has read. */
export interface SourceDocument {
  readonly projectId: string;
  readonly sourceId: string;
  readonly externalId: string;
  readonly sourceUrl: string | null;
  readonly name: string;
  readonly metadata?: DocumentMetadata;
  /** Path of a file. The metadata of the document contains it. */
  readonly path?: string | undefined;
  /** The text of a page as Markdown, or the bytes of a file. */
  readonly content: string | Buffer;
}

/**
 * Returns an external id in the form in which documents store it, so that the two can be compared. Normalizes it to
 * Unicode NFC. If it is long, replaces its end with a hash.
 */
export function shortenExternalId(id: string): string {
  const text = id.normalize('NFC');
  if (text.length <= maxExternalIdLength) return text;
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, maxExternalIdLength - hash.length - 1).toWellFormed()}#${hash}`;
}

/**
 * Returns a name without control characters and slashes. Keeps only the end of a long name. Returns '' if nothing
 * remains.
 */
export function cleanName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, ' ')
    .trim();
  return Array.from(clean).slice(-maxNameLength).join('');
}

/**
 * Creates or replaces a document of a source. If the document is refused, returns the reason.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up.
 */
export async function writeSourceDocument(
  context: Context,
  document: SourceDocument,
): Promise<DocumentOutcome | { readonly reason: string }> {
  const { projectId, sourceId, externalId } = document;
  const existing = await context.db.document.findFirst({
    where: { projectId, externalId },
    select: { sourceId: true, metadata: true },
  });
  if (existing !== null && existing.sourceId !== sourceId) {
    return { reason: 'Another document of the project has this address as externalId' };
  }
  try {
    const metadata = document.metadata ?? withPath(existing?.metadata, document.path);
    return (await write(context, document, metadata)).outcome;
  } catch (error) {
    const isRefusal = error instanceof DomainError && refusalCodes.has(error.code);
    if (isRefusal) return { reason: error.message };
    throw error;
  }
}

const refusalCodes: ReadonlySet<string> = new Set([
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'VALIDATION_FAILED',
]);

/**
 * Returns the stored metadata with the path added. Returns null if there is no path, or if the metadata would have too
 * many keys.
 */
function withPath(stored: unknown, path: string | undefined): DocumentMetadata | null {
  return path === undefined ? null : addMetadata(asMetadata(stored ?? {}), { path });
}

async function write(
  context: Context,
  { projectId, sourceId, externalId, sourceUrl, name, content }: SourceDocument,
  metadata: DocumentMetadata | null,
) {
  const input = { projectId, sourceId, externalId, sourceUrl, metadata };
  if (typeof content === 'string') {
    if (content.length > maxContentCharacters) {
      throw new DomainError('PAYLOAD_TOO_LARGE', 'The text of the page is too long');
    }
    return createDocument(context, { ...input, name, content, isMarkdown: true });
  }
  return withUploadedFile(name, content, (file) => uploadDocument(context, { ...input, file }));
}
