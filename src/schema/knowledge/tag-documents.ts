import { z } from 'zod';
import {
  type TagFailure,
  type TagReport,
  tagDocuments,
} from '../../domain/knowledge/tag-documents.ts';
import { builder } from '../builder.ts';
import { fieldsSchema } from '../input-rules.ts';

const maxTaggedDocuments = 100;

const TagDocumentsInput = builder.inputType('TagDocumentsInput', {
  description: 'Tags that documents get and lose. Their other tags stay.',
  validate: fieldsSchema({
    documentIds: z
      .array(z.string())
      .min(1, 'must not be empty')
      .max(maxTaggedDocuments, `must have at most ${maxTaggedDocuments} entries`),
  }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    documentIds: t.idList({ required: true, description: '1 to 100 ids.' }),
    addTags: t.stringList({ description: 'At most 20 labels of at most 100 characters.' }),
    removeTags: t.stringList({ description: 'At most 20 labels of at most 100 characters.' }),
  }),
});

const TagDocumentsFailure = builder.objectRef<TagFailure>('TagDocumentsFailure').implement({
  description: 'A document whose tags were not changed.',
  fields: (t) => ({
    documentId: t.exposeID('documentId'),
    message: t.exposeString('message', { description: 'The reason. Safe to display.' }),
  }),
});

const TagDocumentsPayload = builder.objectRef<TagReport>('TagDocumentsPayload').implement({
  description: 'Result of `tagDocuments`.',
  fields: (t) => ({
    count: t.exposeInt('count', {
      description: 'Number of documents that have the tags now, also if they had them before.',
    }),
    failures: t.expose('failures', {
      type: [TagDocumentsFailure],
      description: 'Documents that would have more than 20 tags.',
    }),
  }),
});

builder.mutationField('tagDocuments', (t) =>
  t.field({
    type: TagDocumentsPayload,
    description:
      'Adds tags to documents of a project and removes others. Ids of other documents are ignored.',
    args: { input: t.arg({ type: TagDocumentsInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => tagDocuments(context, input),
  }),
);
