import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../domain/context.ts';
import { uploadDocument } from '../../domain/knowledge/create-document.ts';
import { deleteDocuments } from '../../domain/knowledge/delete-documents.ts';
import { sanitizeFileName } from '../../http/sanitize-file-name.ts';
import { DomainError } from '../../platform/errors.ts';
import { createUploadDirectory } from '../../platform/storage/uploaded-file.ts';
import { FileRefused, refusalCodes, type SyncTarget } from './sync-target.ts';

const removedPerCall = 1_000;

/** Creates a target on the database of the service. The service processes the documents when it runs. */
export function createLocalTarget(context: Context, projectId: string): SyncTarget {
  return {
    async list(prefix) {
      const rows = await context.db.document.findMany({
        where: { projectId, deletedAt: null, externalId: { startsWith: prefix } },
        select: {
          ...{ id: true, externalId: true, contentHash: true, name: true, sourceUrl: true },
          ...{ status: true, errorMessage: true },
        },
      });
      return rows.map(({ status, errorMessage, ...row }) => ({
        ...row,
        failure: status === 'FAILED' ? (errorMessage ?? 'Failed') : null,
      }));
    },
    async put({ externalId, name, body, sourceUrl }) {
      const directory = await createUploadDirectory();
      try {
        const path = join(directory, 'file');
        await writeFile(path, body);
        const sha256 = createHash('sha256').update(body).digest('hex');
        const fileName = sanitizeFileName(name) || 'document';
        const file = { name: fileName, path, sizeBytes: body.length, sha256, head: body };
        await uploadDocument(context, { projectId, externalId, sourceUrl, file });
      } catch (error) {
        const isRefusal = error instanceof DomainError && refusalCodes.has(error.code);
        throw isRefusal ? new FileRefused(error.message) : error;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    async remove(ids) {
      for (let at = 0; at < ids.length; at += removedPerCall) {
        const documentIds = ids.slice(at, at + removedPerCall);
        await deleteDocuments(context, { projectId, documentIds });
      }
    },
  };
}
