import {
  type RetryReport,
  retryFailedDocuments,
} from '../../domain/knowledge/retry-failed-documents.ts';
import { builder } from '../builder.ts';

const RetryFailedDocumentsInput = builder.inputType('RetryFailedDocumentsInput', {
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
  }),
});

const RetryFailedDocumentsPayload = builder
  .objectRef<RetryReport>('RetryFailedDocumentsPayload')
  .implement({
    description: 'Result of `retryFailedDocuments`.',
    fields: (t) => ({
      retriedCount: t.exposeInt('retriedCount', {
        description: 'Number of documents that are PROCESSING again.',
      }),
      failedCount: t.exposeInt('failedCount', {
        description: 'Number of documents that are still FAILED. Call again if there are any.',
      }),
    }),
  });

builder.mutationField('retryFailedDocuments', (t) =>
  t.field({
    type: RetryFailedDocumentsPayload,
    description:
      'Processes the FAILED documents of a project again, at most 500 per call, in the order of their failures.',
    args: { input: t.arg({ type: RetryFailedDocumentsInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) =>
      retryFailedDocuments(context, { projectId: input.projectId }),
  }),
);
