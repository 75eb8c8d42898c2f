import { callOperation, readOperation } from './call-operation.ts';
import { createCallers } from './operation-callers.ts';
import { delay } from './retries.ts';
import type { Body, Result } from './routes.ts';
import type { Access, CallOptions } from './send-request.ts';

/** Details of an uploaded file that the service stores. */
export interface FileDetails extends Omit<Body<'createDocument'>, 'name' | 'content'> {
  /** Name of the document. Default: name of the file. */
  readonly name?: string;
}

const pollIntervalMs = 1_000;

export function createDocuments(access: Access) {
  const { onId, send, sendTo, list } = createCallers(access);
  const get = onId('getDocument');
  return {
    /** Lists documents, newest first. */
    list: list('listDocuments'),
    /** Creates a document from text, or replaces the one with the same `externalId`. */
    create: send('createDocument'),
    /** Creates a document from a file, or replaces the one with the same `externalId`. A `Blob` has no name: pass one. */
    upload: (file: Blob, details: FileDetails = {}, options?: CallOptions) =>
      callOperation(access, 'uploadDocument', { body: formOf(file, details) }, options),
    get,
    /** Replaces the content of a document with text. */
    replace: sendTo('replaceDocument'),
    /** Replaces the content of a document with a file. */
    replaceFile: (id: string, file: Blob, details: FileDetails = {}, options?: CallOptions) => {
      const input = { ids: [id], body: formOf(file, details) };
      return callOperation(access, 'replaceDocument', input, options);
    },
    /** Changes the name, the metadata and other details of a document. */
    update: sendTo('updateDocument'),
    delete: onId('deleteDocument'),
    /** Deletes up to 1,000 documents. */
    deleteMany: send('deleteDocuments'),
    /** Processes a failed document again. */
    retry: onId('retryDocument'),
    retryMany: send('retryDocuments'),
    /** Returns the text of a document. */
    content: onId('getDocumentContent'),
    /** Returns the file of a document. */
    original: (id: string, options: CallOptions = {}): Promise<Blob> =>
      readOperation(access, 'getDocumentOriginal', { ids: [id] }, options, async (response, it) => {
        const file = await response.blob();
        it.close();
        return file;
      }),
    /** Returns the document when it is `READY` or `FAILED`. Pass a signal with a time limit. */
    async waitUntilProcessed(id: string, options?: CallOptions): Promise<Result<'getDocument'>> {
      for (;;) {
        const document = await get(id, options);
        if (document.status !== 'PROCESSING') return document;
        await delay(pollIntervalMs, options?.signal);
      }
    },
  };
}

function formOf(file: Blob, { name, metadata, tags = [], ...texts }: FileDetails): FormData {
  const form = new FormData();
  if (metadata !== undefined) form.append('metadata', JSON.stringify(metadata));
  for (const tag of tags) form.append('tags', tag);
  for (const [key, text] of Object.entries(texts)) form.append(key, text);
  form.append('file', file, name ?? ('name' in file ? String(file.name) : 'file'));
  return form;
}
