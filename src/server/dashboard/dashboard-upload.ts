import type { RequestHandler } from 'express';
import type { Adapters } from '../../domain/context.ts';
import { uploadDocument } from '../../domain/knowledge/create-document.ts';
import { replaceDocumentFile } from '../../domain/knowledge/replace-document.ts';
import { requireProject } from '../../domain/organizations/require-project.ts';
import { getOrganizationUploadLimitBytes } from '../../domain/upload-limit.ts';
import { applyResponseDefaults, sendJson } from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import { readUpload } from '../../rest/request/read-upload.ts';
import { createOperatorContext, type OperatorAccess } from './operator-context.ts';

const noFields = { type: 'object', properties: {} };

/**
 * Handles an operator's upload: a multipart body with one file, and `projectId` in the query. With `documentId`, the
 * file replaces the content of that document. The dashboard cannot use GraphQL for this, because GraphQL has no file
 * upload. Permission is checked before the body is read.
 */
export function dashboardUpload(adapters: Adapters, access: OperatorAccess): RequestHandler[] {
  return [
    applyResponseDefaults(),
    async (request, response) => {
      const context = await createOperatorContext(adapters, access, request, response);
      const { projectId, documentId } = request.query;
      if (typeof projectId !== 'string' || Array.isArray(documentId)) {
        throw new DomainError('VALIDATION_FAILED', 'projectId must be given in the query');
      }
      const project = await requireProject(context, projectId, 'knowledge:write');
      const limitBytes = await getOrganizationUploadLimitBytes(context, project.organizationId);
      const limits = { limitBytes, fields: noFields };
      await using upload = await readUpload(request, response, limits);
      const { file } = upload;
      const written =
        typeof documentId === 'string'
          ? await replaceDocumentFile(context, { projectId, id: documentId, file })
          : await uploadDocument(context, { projectId, file });
      sendJson(response, documentId === undefined ? 201 : 200, {
        id: written.id,
        name: written.name,
        status: written.status,
      });
    },
  ];
}
