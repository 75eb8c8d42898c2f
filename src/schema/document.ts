import {
  DocumentSourceType as SourceTypes,
  DocumentStatus as Statuses,
} from '../domain/generated/prisma/enums.ts';
import { createDocument, uploadDocument } from '../domain/knowledge/create-document.ts';
import {
  deleteDocument,
  getDocument,
  listDocuments,
  type DocumentPage as Page,
  pageDocuments,
  retryDocument,
} from '../domain/knowledge/documents.ts';
import { builder } from './builder.ts';
import { optionalText, rules, text, wholeNumber } from './text-rules.ts';

const DocumentStatus = builder.enumType('DocumentStatus', {
  description:
    'PROCESSING until its chunks are indexed, then READY, or FAILED until it is retried.',
  values: Object.values(Statuses),
});

const DocumentSourceType = builder.enumType('DocumentSourceType', {
  values: Object.values(SourceTypes),
});

const DocumentError = builder
  .objectRef<{ readonly code: string; readonly message: string }>('DocumentError')
  .implement({
    description: 'Why a document has failed.',
    fields: (t) => ({
      code: t.exposeString('code', {
        description:
          'UNSUPPORTED_FILE, EMPTY_TEXT, ENCRYPTED, CORRUPT_FILE, TOO_LARGE, EMBEDDING_ERROR or INTERNAL.',
      }),
      message: t.exposeString('message'),
    }),
  });

const Document = builder.prismaObject('Document', {
  description: "A text or file of a project's knowledge.",
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    name: t.exposeString('name'),
    status: t.expose('status', { type: DocumentStatus }),
    sourceType: t.expose('sourceType', { type: DocumentSourceType }),
    mimeType: t.exposeString('mimeType'),
    sizeBytes: t.float({
      select: { sizeBytes: true },
      resolve: ({ sizeBytes }) => Number(sizeBytes),
    }),
    contentHash: t.exposeString('contentHash', {
      description: 'SHA-256 of the bytes, hexadecimal.',
    }),
    chunkCount: t.exposeInt('chunkCount'),
    tokenCount: t.exposeInt('tokenCount'),
    error: t.field({
      type: DocumentError,
      nullable: true,
      select: { errorCode: true, errorMessage: true },
      resolve: ({ errorCode, errorMessage }) =>
        errorCode === null ? null : { code: errorCode, message: errorMessage ?? errorCode },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    processedAt: t.expose('processedAt', { type: 'DateTime', nullable: true }),
  }),
});

const DocumentPage = builder.objectRef<Page>('DocumentPage').implement({
  description: 'A page counted from 1, as REST lists them.',
  fields: (t) => ({
    data: t.field({ type: [Document], resolve: ({ data }) => [...data] }),
    page: t.exposeInt('page'),
    limit: t.exposeInt('limit'),
    total: t.exposeInt('total'),
    totalPages: t.exposeInt('totalPages'),
    hasMore: t.exposeBoolean('hasMore'),
  }),
});

const CreateDocumentInput = builder.inputType('CreateDocumentInput', {
  validate: rules({ name: text(255), content: text(1_000_000) }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    name: t.string({ required: true }),
    content: t.string({ required: true }),
  }),
});

const UploadDocumentInput = builder.inputType('UploadDocumentInput', {
  fields: (t) => ({
    projectId: t.id(),
    file: t.field({ type: 'UploadedFile', required: true }),
  }),
});

const DocumentInput = builder.inputType('DocumentInput', {
  description: 'Names a document of a project.',
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    id: t.id({ required: true }),
  }),
});

builder.queryFields((t) => ({
  document: t.prismaField({
    type: Document,
    description: 'A document of a project.',
    args: { projectId: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
    authScopes: { permission: 'knowledge:read' },
    resolve: (query, _root, args, context) => getDocument(context, args, query),
  }),
  documents: t.prismaConnection({
    type: Document,
    cursor: 'id',
    description: "A project's documents, newest first.",
    args: {
      projectId: t.arg.id({ required: true }),
      search: t.arg.string({ description: 'Any part of the name.' }),
      status: t.arg({ type: DocumentStatus }),
    },
    validate: rules({ search: optionalText(255) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (query, _root, args, context) => listDocuments(context, args, query),
  }),
  documentPage: t.field({
    type: DocumentPage,
    description: 'The same by page number.',
    args: {
      projectId: t.arg.id({ required: true }),
      page: t.arg.int({ required: true, defaultValue: 1 }),
      limit: t.arg.int({ required: true, defaultValue: 20 }),
      search: t.arg.string(),
    },
    validate: rules({
      page: wholeNumber(1, 1_000_000),
      limit: wholeNumber(1, 100),
      search: optionalText(255),
    }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => pageDocuments(context, args),
  }),
}));

builder.mutationFields((t) => ({
  createDocument: t.prismaField({
    type: Document,
    description: 'Makes a document from text; it is read in the background.',
    args: { input: t.arg({ type: CreateDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => createDocument(context, input),
  }),
  uploadDocument: t.prismaField({
    type: Document,
    description: 'Makes a document from a file that the REST interface has received.',
    args: { input: t.arg({ type: UploadDocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => uploadDocument(context, input),
  }),
  deleteDocument: t.prismaField({
    type: Document,
    description: 'Removes a document with its file, its chunks and its pending work.',
    args: { input: t.arg({ type: DocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => deleteDocument(context, input),
  }),
  retryDocument: t.prismaField({
    type: Document,
    description: 'Reads a failed document again.',
    args: { input: t.arg({ type: DocumentInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => retryDocument(context, input),
  }),
}));
