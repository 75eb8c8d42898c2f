import type { Context } from '../context.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';

/**
 * Publishes `document.ready` or `document.failed`. Call it in the transaction that sets the status to READY or FAILED.
 */
export async function publishDocumentEvent(
  context: Context,
  { projectId, documentId }: { readonly projectId: string; readonly documentId: string },
): Promise<void> {
  const document = await context.db.document.findFirstOrThrow({
    where: { id: documentId, projectId },
    include: { project: { select: { organizationId: true } } },
  });
  const { name, chunkCount, tokenCount, errorCode, errorMessage, project } = document;
  const processedAt = (document.processedAt ?? document.updatedAt).toISOString();
  const { organizationId } = project;
  const commonData = { organizationId, projectId, documentId, name };
  if (document.status === 'READY') {
    const data = { ...commonData, chunkCount, tokenCount, processedAt };
    await publishWebhookEvent(context, { projectId, type: 'document.ready', data });
  } else {
    const code = errorCode ?? 'INTERNAL';
    const data = { ...commonData, error: { code, message: errorMessage ?? code }, processedAt };
    await publishWebhookEvent(context, { projectId, type: 'document.failed', data });
  }
}
