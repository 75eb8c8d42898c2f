import type { Context } from '../../domain/context.ts';
import { changeDocument } from '../../domain/knowledge/change-document.ts';
import { uploadDocument } from '../../domain/knowledge/create-document.ts';
import { deleteDocuments } from '../../domain/knowledge/delete-documents.ts';
import { asMetadata } from '../../domain/knowledge/document-details.ts';
import { getDocument } from '../../domain/knowledge/documents.ts';
import { sanitizeFileName } from '../../http/sanitize-file-name.ts';
import { withUploadedFile } from '../../platform/storage/uploaded-file.ts';
import type { SyncTarget } from './sync-target.ts';

/** Creates a target on the service's database. The service processes the documents as soon as it runs. */
export function createLocalTarget(context: Context, projectId: string): SyncTarget {
  return {
    async list(prefix) {
      const rows = await context.db.document.findMany({
        where: { projectId, deletedAt: null, externalId: { startsWith: prefix } },
        select: {
          ...{ id: true, externalId: true, contentHash: true, sourceUrl: true },
          ...{ metadata: true, status: true, errorMessage: true },
        },
      });
      return rows.map(({ status, errorMessage, metadata, ...row }) => ({
        ...row,
        metadata: asMetadata(metadata),
        failure: status === 'FAILED' ? (errorMessage ?? 'Failed') : null,
      }));
    },
    async put({ externalId, name, body, sourceUrl, metadata }) {
      const fileName = sanitizeFileName(name) || 'document';
      await withUploadedFile(fileName, body, (file) =>
        uploadDocument(context, { projectId, externalId, sourceUrl, metadata, file }),
      );
    },
    async readMetadata(id) {
      return asMetadata((await getDocument(context, { projectId, id })).metadata);
    },
    async setMetadata(id, metadata) {
      await changeDocument(context, { projectId, id, metadata });
    },
    async remove(documentIds) {
      await deleteDocuments(context, { projectId, documentIds });
    },
  };
}
