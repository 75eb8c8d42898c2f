import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { changedDetails, type DocumentDetails } from './document-details.ts';
import type { Document } from './documents.ts';

/** Name and details of a document. */
export type DocumentFields = DocumentDetails & Pick<Document, 'name'>;

/**
 * Stores the fields whose values differ and publishes `document.updated`. Call it in the transaction that has locked
 * the document. `earlier` contains other changes that the same transaction has made. If nothing differs and `earlier`
 * is empty, does nothing. Returns the stored document.
 */
export async function updateDetails(
  context: Context,
  { organizationId }: Pick<Project, 'organizationId'>,
  document: Document,
  fields: Partial<DocumentFields>,
  earlier: readonly string[] = [],
): Promise<Document> {
  const { db } = context;
  const { id, projectId } = document;
  const where = { id, projectId };
  const { tags, ...others } = changedDetails(document, fields);
  const data = { ...others, ...(tags !== undefined && { tags: [...tags] }) };
  const changes = [...earlier, ...Object.keys(data)];
  if (changes.length === 0) return document;
  if (Object.keys(data).length > 0) await db.document.updateMany({ where, data });
  const updated = await db.document.findFirstOrThrow({ where });
  const { name, externalId, status, version, updatedAt } = updated;
  await publishWebhookEvent(context, {
    projectId,
    type: 'document.updated',
    data: {
      ...{ organizationId, projectId, documentId: id, name, externalId, status, version, changes },
      updatedAt: updatedAt.toISOString(),
    },
  });
  return updated;
}
