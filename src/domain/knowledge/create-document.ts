import { DomainError, isUniqueViolation } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { UploadedFile } from '../../platform/storage/uploaded-file.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { externalIdTakenError } from './change-document.ts';
import { type DocumentContent, fileContent, textContent } from './document-content.ts';
import {
  type DetailsInput,
  type DocumentDetails,
  requireValidDetails,
} from './document-details.ts';
import { isVisibleDocument } from './filter/caller-filter.ts';
import { insertDocument } from './insert-document.ts';
import { putDocumentFile } from './put-document-file.ts';
import { replaceContent } from './replace-content.ts';
import { requireWritableProject } from './require-writable-project.ts';
import { storageKey } from './storage-key.ts';
import { findEffect, hideInvisibleDuplicate, type WrittenDocument } from './written-document.ts';

interface NewDocumentInput extends DetailsInput {
  readonly projectId?: string | null;
  /** Id of the source that keeps the document up to date. */
  readonly sourceId?: string | null;
}

/**
 * Creates a document from raw text and enqueues its ingestion. If the project has a document with this `externalId`, its
 * content is replaced.
 *
 * @throws DomainError from `requireProject` and `requireValidDetails`.
 * @throws DomainError PAYLOAD_TOO_LARGE when the text exceeds the plan's upload limit.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up.
 */
export async function createDocument(
  context: Context,
  input: NewDocumentInput & {
    readonly name: string;
    readonly content: string;
    readonly isMarkdown?: boolean;
  },
): Promise<WrittenDocument> {
  const project = await requireWritableProject(context, input.projectId);
  const details = requireValidDetails(input);
  const data = { ...details, ...sourceOf(input) };
  const written = await upsertDocument(context, project, textContent(input), data);
  return hideInvisibleDuplicate(context, written);
}

/**
 * Creates a document from a file and enqueues its ingestion. If the project has a document with this `externalId`, its
 * content is replaced.
 *
 * @throws DomainError from `requireProject`, `requireValidDetails` and `fileContent`.
 * @throws DomainError PAYLOAD_TOO_LARGE when the file exceeds the plan's upload limit.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up.
 */
export async function uploadDocument(
  context: Context,
  input: NewDocumentInput & { readonly file: UploadedFile },
): Promise<WrittenDocument> {
  const project = await requireWritableProject(context, input.projectId);
  const details = requireValidDetails(input);
  const content = fileContent(input.file);
  const data = { ...details, ...sourceOf(input) };
  const written = await upsertDocument(context, project, content, data);
  return hideInvisibleDuplicate(context, written);
}

type NewDetails = Partial<DocumentDetails> & { readonly sourceId?: string };

function sourceOf({ sourceId }: NewDocumentInput): { readonly sourceId?: string } {
  return sourceId == null ? {} : { sourceId };
}

/**
 * Requests with the same new external id may arrive at the same time, and deletions of the document may run between
 * them.
 */
const maxTries = 5;

/**
 * Creates the document. If a document with the same external id exists, replaces its content. If the process of a
 * request died after this, a retry of the request returns the same document.
 */
async function upsertDocument(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  content: DocumentContent,
  details: NewDetails,
): Promise<WrittenDocument> {
  const earlier = await findEffect(context, project);
  if (earlier !== null) return earlier;
  const { externalId } = details;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const existing =
      externalId == null
        ? null
        : await context.db.document.findFirst({ where: { projectId: project.id, externalId } });
    if (existing !== null) {
      if (!(await isVisibleDocument(context, existing))) throw externalIdTakenError();
      const replaced = await replaceContent(context, project, existing, { content, details });
      if (replaced !== null) return replaced;
      continue;
    }
    try {
      return await storeDocument(context, project, content, details);
    } catch (error) {
      if (externalId == null || !isUniqueViolation(error)) throw error;
    }
  }
  throw new DomainError('CONFLICT', 'The document with this externalId changes all the time', {
    retryable: true,
  });
}

/** Stores the file before the row, so that a row never exists without its file. */
async function storeDocument(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  { file, ...content }: DocumentContent,
  details: NewDetails,
): Promise<WrittenDocument> {
  const id = newId();
  return putDocumentFile(context, storageKey(project.id, id), file, () =>
    insertDocument(context, project, { id, ...content, ...details }),
  );
}
