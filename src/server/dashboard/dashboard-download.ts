import type { RequestHandler } from 'express';
import type { Adapters } from '../../domain/context.ts';
import { getDocumentOriginal } from '../../domain/knowledge/document-original.ts';
import { applyResponseDefaults } from '../../http/exchange.ts';
import { sendStoredFile } from '../../http/send-stored-file.ts';
import { DomainError } from '../../platform/errors.ts';
import { createOperatorContext, type OperatorAccess } from './operator-context.ts';

/** Sends an operator the original of a document. The query contains `projectId` and `documentId`. */
export function dashboardDownload(adapters: Adapters, access: OperatorAccess): RequestHandler[] {
  return [
    applyResponseDefaults(),
    async (request, response) => {
      const context = await createOperatorContext(adapters, access, request, response);
      const { projectId, documentId } = request.query;
      if (typeof projectId !== 'string' || typeof documentId !== 'string') {
        const problem = 'projectId and documentId must be given in the query';
        throw new DomainError('VALIDATION_FAILED', problem);
      }
      const original = await getDocumentOriginal(context, { projectId, id: documentId });
      await sendStoredFile(response, original, context.signal);
    },
  ];
}
