import type { RequestHandler } from 'express';
import { type Adapters, createContext } from '../../domain/context.ts';
import { getDocumentOriginal } from '../../domain/knowledge/document-original.ts';
import { applyResponseDefaults, requestIdOf, requestSignal } from '../../http/exchange.ts';
import { sendStoredFile } from '../../http/send-stored-file.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Authenticator } from '../../schema/authenticate.ts';

/** Sends an operator the original of a document: `projectId` and `documentId` are in the query. */
export function dashboardDownload(
  adapters: Adapters,
  {
    authenticate,
    stopping,
  }: { readonly authenticate: Authenticator; readonly stopping: AbortSignal },
): RequestHandler[] {
  return [
    applyResponseDefaults(),
    async (request, response) => {
      const caller = await authenticate(request.get('Authorization') ?? null);
      const signal = requestSignal(response, stopping);
      const requestId = requestIdOf(response);
      const context = createContext(adapters, caller, { signal, requestId });
      const { projectId, documentId } = request.query;
      if (typeof projectId !== 'string' || typeof documentId !== 'string') {
        const problem = 'projectId and documentId must be given in the query';
        throw new DomainError('VALIDATION_FAILED', problem);
      }
      const original = await getDocumentOriginal(context, { projectId, id: documentId });
      await sendStoredFile(response, original, signal);
    },
  ];
}
