import type { RequestHandler } from 'express';
import { type Adapters, createContext } from './domain/context.ts';
import { DomainError } from './domain/errors.ts';
import { uploadDocument } from './domain/knowledge/create-document.ts';
import { requireProject } from './domain/organizations/require-project.ts';
import { organizationUploadLimit } from './domain/plans.ts';
import { prepareResponse, requestIdOf } from './rest/prepare-response.ts';
import { readUpload } from './rest/read-upload.ts';
import { requestSignal } from './rest/request-signal.ts';
import { sendJson } from './rest/send-json.ts';
import type { Authenticate } from './schema/authenticate.ts';

/**
 * An operator's file, as the only part of a multipart body; GraphQL carries no files. The project stands in the query.
 * Who may not upload is told so before the body is read.
 */
export function dashboardUpload(
  adapters: Adapters,
  {
    authenticate,
    stopping,
  }: { readonly authenticate: Authenticate; readonly stopping: AbortSignal },
): RequestHandler[] {
  return [
    prepareResponse(),
    async (request, response) => {
      const caller = await authenticate(request.get('Authorization') ?? null);
      const signal = requestSignal(response, stopping);
      const requestId = requestIdOf(response);
      const context = createContext(adapters, caller, { signal, requestId });
      const { projectId } = request.query;
      if (typeof projectId !== 'string') {
        throw new DomainError('VALIDATION_FAILED', 'projectId must be given in the query');
      }
      const project = await requireProject(context, projectId, 'knowledge:write');
      const limit = await organizationUploadLimit(context, project.organizationId);
      await using upload = await readUpload(request, response, limit);
      const { id, name, status } = await uploadDocument(context, { projectId, file: upload.file });
      sendJson(response, 201, { id, name, status });
    },
  ];
}
