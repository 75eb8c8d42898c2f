import { queryFromInfo } from '@pothos/plugin-prisma';
import { createDocument, uploadDocument } from '../domain/knowledge/create-document.ts';
import {
  deleteDocument,
  getDocument,
  listDocuments,
  listDocumentsByPage,
  retryDocument,
} from '../domain/knowledge/documents.ts';
import { watchDocuments } from '../domain/knowledge/watch-documents.ts';
import {
  DocumentSourceType as SourceTypes,
  DocumentStatus as Statuses,
} from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { fieldsSchema, nonBlankText, optionalText } from './input-rules.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from './page-type.ts';

const DocumentStatus = builder.enumType('DocumentStatus', {
  description: 'Processing state of a document.',
  values: {
    [Statuses.PROCESSING]: { description: 'Text extraction and indexing are in progress.' },
    [Statuses.READY]: { description: 'Indexed and searchable.' },
    [Statuses.FAILED]: {
      description:
        'Processing failed, for the reason in `error`. `retryDocument` processes the document again.',
    },
  },
});

const DocumentSourceType = builder.enumType('DocumentSourceType', {
  description: 'Whether a document was created from text or from a file.',
  values: [SourceTypes.TEXT, SourceTypes.FILE],
});

const DocumentOrder = builder.enumType('DocumentOrder', {
  description: 'Sort order of documents.',
  values: {
    NEWEST: { description: 'Latest creation first.' },
    OLDEST: { description: 'Earliest creation first.' },
    NAME: { description: 'By name, ascending.' },
    LARGEST: { description: 'By size of the original, largest first.' },
  },
});

const DocumentError = builder
  .objectRef<{ readonly code: string; readonly message: string }>('DocumentError')
  .implement({
    description: 'Why the processing of a document failed.',
    fields: (t) => ({
      code: t.exposeString('code', {
        description:
          'One of UNSUPPORTED_FILE, EMPTY_TEXT, ENCRYPTED, CORRUPT_FILE, TOO_LARGE, EMBEDDING_ERROR, INTERNAL.',
      }),
      message: t.exposeString('message', { description: 'Human-readable error, safe to display.' }),
    }),
  });

export const Document = builder.prismaObject('Document', {
  description: "A text or file in a project's knowledge base.",
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    name: t.exposeString('name', { description: 'Title of a text, or name of an uploaded file.' }),
    status: t.expose('status', { type: DocumentStatus }),
    sourceType: t.expose('sourceType', {
      type: DocumentSourceType,
    }),
    mimeType: t.exposeString('mimeType', { description: 'Detected MIME type of the content.' }),
    sizeBytes: t.float({
      description: 'Size of the original in bytes.',
      resolve: ({ sizeBytes }) => Number(sizeBytes),
    }),
    contentHash: t.exposeString('contentHash', {
      description: 'SHA-256 of the original, in hexadecimal.',
    }),
    chunkCount: t.exposeInt('chunkCount', { description: 'Number of indexed chunks.' }),
    tokenCount: t.exposeInt('tokenCount', { description: 'Number of tokens in all chunks.' }),
    error: t.field({
      type: DocumentError,
      nullable: true,
      description: 'Null unless the status is FAILED.',
      resolve: ({ errorCode, errorMessage }) =>
        errorCode === null ? null : { code: errorCode, message: errorMessage ?? errorCode },
    }),
    waitingReason: t.exposeString('waitingReason', {
      nullable: true,
      description:
        'Why a PROCESSING document waits: the embedding model is unavailable. It is tried again by itself for 24 hours. Null if it does not wait.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    processedAt: t.expose('processedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when the status became READY or FAILED. Null while the status is PROCESSING.',
    }),
  }),
});

const DocumentPage = createPageType('DocumentPage', Document);

const CreateDocumentInput = builder.inputType('CreateDocumentInput', {
  description: 'Text for a new document.',
  validate: fieldsSchema({ name: nonBlankText(255), content: nonBlankText(1_000_000) }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    name: t.string({ required: true, description: 'Title, 1 to 255 characters.' }),
    content: t.string({ required: true, description: 'Raw text, 1 to 1,000,000 characters.' }),
  }),
});

const UploadDocumentInput = builder.inputType('UploadDocumentInput', {
  description: 'A file for a new document.',
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    file: t.field({
      type: 'UploadedFile',
      required: true,
      description:
        'The uploaded file. Only the REST API can pass one; see `POST /api/v1/knowledge/documents/upload`.',
    }),
  }),
});

const DocumentInput = builder.inputType('DocumentInput', {
  description: 'Identifies a document of a project.',
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    id: t.id({ required: true }),
  }),
});

builder.queryFields((t) => ({
  document: t.prismaField({
    type: Document,
    description: 'A document of a project, by id.',
    args: {
      projectId: t.arg.id({ required: true }),
      id: t.arg.id({ required: true }),
    },
    authScopes: { permission: 'knowledge:read' },
    resolve: (query, _root, args, context) => getDocument(context, args, query),
  }),
  documents: t.prismaConnection({
    type: Document,
    cursor: 'id',
    description: 'Documents of a project, newest first.',
    args: {
      projectId: t.arg.id({ required: true }),
      search: t.arg.string({
        description: 'Substring of the name, case-insensitive, at most 255 characters.',
      }),
      status: t.arg({ type: DocumentStatus }),
    },
    validate: fieldsSchema({ search: optionalText(255) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (query, _root, args, context) => listDocuments(context, args, query),
  }),
  documentPage: t.field({
    type: DocumentPage,
    description: 'Documents of a project by page number.',
    args: {
      projectId: t.arg.id({ required: true }),
      ...pageArguments,
      search: t.arg.string({
        description: 'Substring of the name, case-insensitive, at most 255 characters.',
      }),
      status: t.arg({ type: DocumentStatus }),
      order: t.arg({ type: DocumentOrder, description: 'Sort order. Default: NEWEST.' }),
    },
    validate: fieldsSchema({
      ...pageArgumentSchemas,
      search: optionalText(255),
    }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => listDocumentsByPage(context, args),
  }),
}));

builder.mutationFields((t) => ({
  createDocument: t.prismaField({
    type: Document,
    description: 'Creates a document from text. Indexing runs in the background.',
    args: { input: t.arg({ type: CreateDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => createDocument(context, input),
  }),
  uploadDocument: t.prismaField({
    type: Document,
    description:
      'Creates a document from a file that the REST API received. Indexing runs in the background.',
    args: { input: t.arg({ type: UploadDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => uploadDocument(context, input),
  }),
  deleteDocument: t.prismaField({
    type: Document,
    description: 'Deletes a document with its file, its chunks and its pending jobs.',
    args: { input: t.arg({ type: DocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => deleteDocument(context, input),
  }),
  retryDocument: t.prismaField({
    type: Document,
    description: 'Processes a FAILED document again.',
    args: { input: t.arg({ type: DocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => retryDocument(context, input),
  }),
}));

builder.subscriptionField('documentUpdated', (t) =>
  t.prismaField({
    type: Document,
    description:
      'Emits a document when it is created and each time its status or the reason of its wait changes.',
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'knowledge:read' },
    subscribe: (_root, args, context, info) =>
      watchDocuments(context, args, queryFromInfo({ context, info })),
    resolve: (_query, document) => document,
  }),
);
