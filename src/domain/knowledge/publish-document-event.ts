import type { Context } from '../context.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';

/** Tells webhooks what has become of a document, in the transaction that has made it READY or FAILED. */
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
  const facts = { organizationId, projectId, documentId, name };
  if (document.status === 'READY') {
    const data = { ...facts, chunkCount, tokenCount, processedAt };
    await publishWebhookEvent(context, { projectId, type: 'document.ready', data });
  } else {
    const code = errorCode ?? 'INTERNAL';
    const data = { ...facts, error: { code, message: errorMessage ?? code }, processedAt };
    await publishWebhookEvent(context, { projectId, type: 'document.failed', data });
  }
}
