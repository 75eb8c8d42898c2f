import { notFound } from '../../platform/errors.ts';
import type { UploadedFile } from '../../platform/storage/uploaded-file.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { externalIdTaken } from './change-document.ts';
import { fileContent, textContent } from './document-content.ts';
import { type DetailsInput, requireValidDetails } from './document-details.ts';
import { requireDocument } from './documents.ts';
import { type Replacement, replaceContent } from './replace-content.ts';
import { requireWritableProject } from './require-writable-project.ts';
import { findEffect, hideInvisibleDuplicate, type WrittenDocument } from './written-document.ts';

interface ReplaceInput extends DetailsInput {
  readonly projectId?: string | null;
  readonly id: string;
}

/**
 * Replaces the content of a document with raw text. Absent details keep their values.
 *
 * @throws DomainError from `requireProject`, `requireValidDetails` and `replaceContent`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 */
export async function replaceDocument(
  context: Context,
  input: ReplaceInput & { readonly name: string; readonly content: string },
): Promise<WrittenDocument> {
  const project = await requireWritableProject(context, input.projectId);
  const details = requireValidDetails(input);
  return replaceById(context, project, input.id, { content: textContent(input), details });
}

/**
 * Replaces the content of a document with a file. The name of the file becomes the name of the document. Absent details
 * keep their values.
 *
 * @throws DomainError from `requireProject`, `requireValidDetails`, `fileContent` and `replaceContent`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 */
export async function replaceDocumentFile(
  context: Context,
  input: ReplaceInput & { readonly file: UploadedFile },
): Promise<WrittenDocument> {
  const project = await requireWritableProject(context, input.projectId);
  const details = requireValidDetails(input);
  const content = fileContent(input.file);
  return replaceById(context, project, input.id, { content, details });
}

async function replaceById(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  id: string,
  replacement: Replacement,
): Promise<WrittenDocument> {
  const earlier = await findEffect(context, project);
  if (earlier !== null) return earlier;
  const document = await requireDocument(context, project, id);
  const replaced = await replaceContent(context, project, document, replacement).catch(
    externalIdTaken,
  );
  if (replaced === null) throw notFound('Document');
  return hideInvisibleDuplicate(context, replaced);
}
