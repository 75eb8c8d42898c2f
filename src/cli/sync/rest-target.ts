import { asMetadata } from '../../domain/knowledge/document-details.ts';
import { createRestClient, type RestAccess } from '../rest-client.ts';
import type { SyncTarget, TargetDocument } from './sync-target.ts';

/** Creates a target that sends files to a service through its REST API. */
export function createRestTarget(access: RestAccess): SyncTarget {
  const client = createRestClient(access);
  return {
    async list(prefix) {
      const documents = new Map<string, TargetDocument>();
      for (let page = 1, hasMore = true; hasMore; page += 1) {
        const answer = await client.get('knowledge/documents', { page: `${page}`, limit: '100' });
        const { data, hasMore: isFollowed } = answer as unknown as DocumentList;
        for (const { error, ...document } of data) {
          if (document.externalId?.startsWith(prefix) !== true) continue;
          documents.set(document.id, { ...document, failure: error?.message ?? null });
        }
        hasMore = isFollowed;
      }
      return [...documents.values()];
    },
    async put({ externalId, name, body, sourceUrl, metadata }) {
      const form = new FormData();
      form.set('externalId', externalId);
      if (sourceUrl !== null) form.set('sourceUrl', sourceUrl);
      if (metadata !== null) form.set('metadata', JSON.stringify(metadata));
      form.set('file', new Blob([new Uint8Array(body)]), name);
      await client.upload('knowledge/documents/upload', form);
    },
    async readMetadata(id) {
      return asMetadata((await client.get(`knowledge/documents/${id}`)).metadata);
    },
    async setMetadata(id, metadata) {
      await client.send('PATCH', `knowledge/documents/${id}`, { metadata });
    },
    async remove(documentIds) {
      await client.send('POST', 'knowledge/documents/delete', { documentIds });
    },
  };
}

interface DocumentList {
  readonly data: (Omit<TargetDocument, 'failure'> & {
    readonly error: { readonly message: string } | null;
  })[];
  readonly hasMore: boolean;
}
