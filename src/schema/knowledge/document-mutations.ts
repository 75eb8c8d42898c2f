import { z } from 'zod';
import { changeDocument } from '../../domain/knowledge/change-document.ts';
import { createDocument, uploadDocument } from '../../domain/knowledge/create-document.ts';
import { deleteDocument, deleteDocuments } from '../../domain/knowledge/delete-documents.ts';
import { retryDocument } from '../../domain/knowledge/documents.ts';
import { replaceDocument, replaceDocumentFile } from '../../domain/knowledge/replace-document.ts';
import { retryDocuments } from '../../domain/knowledge/retry-failed-documents.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, nonBlankText } from '../input-rules.ts';
import { Document } from './document.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const projectId = (t: InputFields) =>
  t.id({ description: 'Optional with a project-scoped key, otherwise required.' });

/** Input fields with which a caller describes a document. */
const detailsFields = (t: InputFields) => ({
  externalId: t.string({
    description: "The caller's own id, 1 to 255 characters, unique in the project.",
  }),
  metadata: t.field({
    type: 'DocumentMetadata',
    description: 'At most 50 values, each with a name.',
  }),
  sourceUrl: t.string({ description: 'Address at which people find the document: http or https.' }),
  tags: t.stringList({ description: 'At most 20 labels of at most 100 characters.' }),
});

const fileField = (t: InputFields) =>
  t.field({
    type: 'UploadedFile',
    required: true,
    description:
      'The uploaded file. Only the REST API can pass one; see `POST /api/v1/knowledge/documents/upload`.',
  });

const textSchema = fieldsSchema({ name: nonBlankText(255), content: nonBlankText(1_000_000) });

const textFields = (t: InputFields) => ({
  name: t.string({ required: true, description: 'Title, 1 to 255 characters.' }),
  content: t.string({ required: true, description: 'Raw text, 1 to 1,000,000 characters.' }),
});

const CreateDocumentInput = builder.inputType('CreateDocumentInput', {
  description:
    'Text for a new document. If a document has the `externalId`, it is replaced, and fields that are absent or null keep their values.',
  validate: textSchema,
  fields: (t) => ({ projectId: projectId(t), ...textFields(t), ...detailsFields(t) }),
});

const UploadDocumentInput = builder.inputType('UploadDocumentInput', {
  description: 'A file for a new document, or for the document with the `externalId`.',
  fields: (t) => ({ projectId: projectId(t), file: fileField(t), ...detailsFields(t) }),
});

const ReplaceDocumentInput = builder.inputType('ReplaceDocumentInput', {
  description:
    'Text that replaces the content of a document. Absent or null details keep their values.',
  validate: textSchema,
  fields: (t) => ({
    projectId: projectId(t),
    id: t.id({ required: true }),
    ...textFields(t),
    ...detailsFields(t),
  }),
});

const ReplaceDocumentFileInput = builder.inputType('ReplaceDocumentFileInput', {
  description:
    'A file that replaces the content of a document. Absent or null details keep their values.',
  fields: (t) => ({
    projectId: projectId(t),
    id: t.id({ required: true }),
    file: fileField(t),
    ...detailsFields(t),
  }),
});

const UpdateDocumentInput = builder.inputType('UpdateDocumentInput', {
  description: 'Changes of a document. Absent fields keep their values. Null clears a detail.',
  validate: fieldsSchema({ name: nonBlankText(255).nullish() }),
  fields: (t) => ({
    projectId: projectId(t),
    id: t.id({ required: true }),
    name: t.string({ description: 'Title, 1 to 255 characters.' }),
    ...detailsFields(t),
  }),
});

const maxDocumentIds = 1_000;

const DeleteDocumentsInput = documentIdsInput('DeleteDocumentsInput');
const RetryDocumentsInput = documentIdsInput('RetryDocumentsInput');
const DeleteDocumentInput = documentIdInput('DeleteDocumentInput');
const RetryDocumentInput = documentIdInput('RetryDocumentInput');

function documentIdsInput(name: string) {
  return builder.inputType(name, {
    validate: fieldsSchema({
      documentIds: z
        .array(z.string())
        .min(1, 'must not be empty')
        .max(maxDocumentIds, `must have at most ${maxDocumentIds} entries`),
    }),
    fields: (t) => ({
      projectId: projectId(t),
      documentIds: t.idList({ required: true, description: '1 to 1,000 ids.' }),
    }),
  });
}

function documentIdInput(name: string) {
  return builder.inputType(name, {
    fields: (t) => ({
      projectId: projectId(t),
      id: t.id({ required: true }),
    }),
  });
}

builder.mutationFields((t) => ({
  createDocument: t.prismaField({
    type: Document,
    description:
      'Creates a document from text, or replaces the one with the `externalId`. Indexing runs in the background.',
    args: { input: t.arg({ type: CreateDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => createDocument(context, input),
  }),
  uploadDocument: t.prismaField({
    type: Document,
    description:
      'Creates a document from a file that the REST API received, or replaces the one with the `externalId`. Indexing runs in the background.',
    args: { input: t.arg({ type: UploadDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => uploadDocument(context, input),
  }),
  replaceDocument: t.prismaField({
    type: Document,
    description:
      'Replaces the content of a document with text. Searches find the old content until the new one is indexed.',
    args: { input: t.arg({ type: ReplaceDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => replaceDocument(context, input),
  }),
  replaceDocumentFile: t.prismaField({
    type: Document,
    description:
      'Replaces the content of a document with a file that the REST API received. Searches find the old content until the new one is indexed.',
    args: { input: t.arg({ type: ReplaceDocumentFileInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => replaceDocumentFile(context, input),
  }),
  updateDocument: t.prismaField({
    type: Document,
    description:
      'Changes the name and the details of a document. Its content is not indexed again.',
    args: { input: t.arg({ type: UpdateDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => changeDocument(context, input),
  }),
  deleteDocuments: t.int({
    description:
      'Deletes documents of a project. Ids of other documents are ignored. Returns the number of deleted documents.',
    args: { input: t.arg({ type: DeleteDocumentsInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => deleteDocuments(context, input),
  }),
  retryDocuments: t.int({
    description:
      'Processes FAILED documents again. Ids of other documents are ignored. Returns the number of documents that are processed.',
    args: { input: t.arg({ type: RetryDocumentsInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => retryDocuments(context, input),
  }),
  deleteDocument: t.prismaField({
    type: Document,
    description: 'Deletes a document with its file, its chunks and its pending jobs.',
    args: { input: t.arg({ type: DeleteDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => deleteDocument(context, input),
  }),
  retryDocument: t.prismaField({
    type: Document,
    description: 'Processes a FAILED document again.',
    args: { input: t.arg({ type: RetryDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => retryDocument(context, input),
  }),
}));
