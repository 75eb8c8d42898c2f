import { DomainError, isUniqueViolation, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { type Context, transaction } from '../context.ts';
import {
  type DetailsInput,
  type DocumentDetails,
  requireValidDetails,
} from './document-details.ts';
import type { Document } from './documents.ts';
import { lockDocument } from './lock-document.ts';
import { requireWritableProject } from './require-writable-project.ts';
import { updateDetails } from './update-details.ts';

/**
 * Changes the name and details of a document, without a new ingestion. Absent fields keep their values, and null clears
 * a detail. The chunks keep the title with which they were indexed.
 *
 * @throws DomainError from `requireProject` and `requireValidDetails`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 * @throws DomainError CONFLICT when another document of the project has this external id.
 */
export async function changeDocument(
  context: Context,
  input: DetailsInput & {
    readonly projectId?: string | null;
    readonly id: string;
    readonly name?: string | null;
  },
): Promise<Document> {
  const project = await requireWritableProject(context, input.projectId);
  const details = { ...clearedDetails(input), ...requireValidDetails(input) };
  const fields = { ...details, ...(input.name != null && { name: input.name }) };
  if (!isId(input.id)) throw notFound('Document');
  return transaction(context, async (context) => {
    const document = await lockDocument(context, project, input.id);
    if (document === null) throw notFound('Document');
    return updateDetails(context, project, document, fields);
  }).catch(externalIdTaken);
}

/**
 * Converts a database error. Always throws.
 *
 * @throws DomainError CONFLICT if the error reports that another document has the external id, otherwise the error
 *   itself
 */
export function externalIdTaken(error: unknown): never {
  throw isUniqueViolation(error) ? externalIdTakenError(error) : error;
}

export function externalIdTakenError(cause?: unknown): DomainError {
  return new DomainError('CONFLICT', 'Another document of the project has this externalId', {
    cause,
  });
}

function clearedDetails(input: DetailsInput): Partial<DocumentDetails> {
  return {
    ...(input.externalId === null && { externalId: null }),
    ...(input.metadata === null && { metadata: {} }),
    ...(input.sourceUrl === null && { sourceUrl: null }),
    ...(input.tags === null && { tags: [] }),
  };
}
