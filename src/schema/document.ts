import { queryFromInfo } from '@pothos/plugin-prisma';
import {
  DocumentSourceType as SourceTypes,
  DocumentStatus as Statuses,
} from '../domain/generated/prisma/enums.ts';
import { createDocument, uploadDocument } from '../domain/knowledge/create-document.ts';
import {
  deleteDocument,
  getDocument,
  listDocuments,
  pageDocuments,
  retryDocument,
} from '../domain/knowledge/documents.ts';
import { watchDocuments } from '../domain/knowledge/watch-documents.ts';
import { builder } from './builder.ts';
import { pageOf } from './page.ts';
import { optionalText, rules, text, wholeNumber } from './text-rules.ts';

const DocumentStatus = builder.enumType('DocumentStatus', {
  description:
    'PROCESSING until its chunks are indexed, then READY, or FAILED until it is retried.',
  values: {
    [Statuses.PROCESSING]: { description: 'It is read and indexed.' },
    [Statuses.READY]: { description: 'It can be found.' },
    [Statuses.FAILED]: { description: 'It could not be read.' },
  },
});

const DocumentSourceType = builder.enumType('DocumentSourceType', {
  description: 'What a document was made from.',
  values: {
    [SourceTypes.TEXT]: { description: 'Made from a text.' },
    [SourceTypes.FILE]: { description: 'Made from a file.' },
  },
});

const DocumentOrder = builder.enumType('DocumentOrder', {
  description: 'Which documents of a list come first.',
  values: {
    NEWEST: { description: 'Those that were added last.' },
    OLDEST: { description: 'Those that were added first.' },
    NAME: { description: 'By their names.' },
    LARGEST: { description: 'Those whose originals have most bytes.' },
  },
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
      message: t.exposeString('message', { description: 'Safe to show.' }),
    }),
  });

export const Document = builder.prismaObject('Document', {
  description: "A text or file of a project's knowledge.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the document.' }),
    projectId: t.exposeID('projectId', { description: 'Whose knowledge it is.' }),
    name: t.exposeString('name', { description: 'A title, or the name of the file.' }),
    status: t.expose('status', { type: DocumentStatus, description: 'Whether it can be found.' }),
    sourceType: t.expose('sourceType', {
      type: DocumentSourceType,
      description: 'Where it comes from.',
    }),
    mimeType: t.exposeString('mimeType', { description: 'What it was read as.' }),
    sizeBytes: t.float({
      description: 'Of the original.',
      select: { sizeBytes: true },
      resolve: ({ sizeBytes }) => Number(sizeBytes),
    }),
    contentHash: t.exposeString('contentHash', {
      description: 'SHA-256 of the bytes, hexadecimal.',
    }),
    chunkCount: t.exposeInt('chunkCount', { description: 'How many chunks it is split into.' }),
    tokenCount: t.exposeInt('tokenCount', { description: 'How many tokens the chunks have.' }),
    error: t.field({
      type: DocumentError,
      nullable: true,
      description: 'Null unless it has failed.',
      select: { errorCode: true, errorMessage: true },
      resolve: ({ errorCode, errorMessage }) =>
        errorCode === null ? null : { code: errorCode, message: errorMessage ?? errorCode },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    processedAt: t.expose('processedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last read to the end.',
    }),
  }),
});

const DocumentPage = pageOf('DocumentPage', Document, 'The documents of the page.');

const CreateDocumentInput = builder.inputType('CreateDocumentInput', {
  description: 'A text to be made a document.',
  validate: rules({ name: text(255), content: text(1_000_000) }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    name: t.string({ required: true, description: 'At most 255 characters.' }),
    content: t.string({ required: true, description: 'At most 1,000,000 characters.' }),
  }),
});

const UploadDocumentInput = builder.inputType('UploadDocumentInput', {
  description: 'A file to be made a document.',
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    file: t.field({
      type: 'UploadedFile',
      required: true,
      description: 'As the REST interface hands it over.',
    }),
  }),
});

const DocumentInput = builder.inputType('DocumentInput', {
  description: 'Names a document of a project.',
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    id: t.id({ required: true, description: 'Of the document.' }),
  }),
});

builder.queryFields((t) => ({
  document: t.prismaField({
    type: Document,
    description: 'A document of a project.',
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      id: t.arg.id({ required: true, description: 'The document.' }),
    },
    authScopes: { permission: 'knowledge:read' },
    resolve: (query, _root, args, context) => getDocument(context, args, query),
  }),
  documents: t.prismaConnection({
    type: Document,
    cursor: 'id',
    description: "A project's documents, newest first.",
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      search: t.arg.string({ description: 'Any part of the name.' }),
      status: t.arg({ type: DocumentStatus, description: 'Only those in this state.' }),
    },
    validate: rules({ search: optionalText(255) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (query, _root, args, context) => listDocuments(context, args, query),
  }),
  documentPage: t.field({
    type: DocumentPage,
    description: 'The same by page number.',
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      page: t.arg.int({ required: true, defaultValue: 1, description: 'From 1.' }),
      limit: t.arg.int({ required: true, defaultValue: 20, description: '1 to 100.' }),
      search: t.arg.string({ description: 'Any part of the name.' }),
      status: t.arg({ type: DocumentStatus, description: 'Only those in this state.' }),
      order: t.arg({ type: DocumentOrder, description: 'Newest first when left out.' }),
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
    args: { input: t.arg({ type: CreateDocumentInput, required: true, description: 'The text.' }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => createDocument(context, input),
  }),
  uploadDocument: t.prismaField({
    type: Document,
    description: 'Makes a document from a file that the REST interface has received.',
    args: { input: t.arg({ type: UploadDocumentInput, required: true, description: 'The file.' }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => uploadDocument(context, input),
  }),
  deleteDocument: t.prismaField({
    type: Document,
    description: 'Removes a document with its file, its chunks and its pending work.',
    args: { input: t.arg({ type: DocumentInput, required: true, description: 'Which document.' }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => deleteDocument(context, input),
  }),
  retryDocument: t.prismaField({
    type: Document,
    description: 'Reads a failed document again.',
    args: { input: t.arg({ type: DocumentInput, required: true, description: 'Which document.' }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => retryDocument(context, input),
  }),
}));

builder.subscriptionField('documentUpdated', (t) =>
  t.prismaField({
    type: Document,
    description:
      "A project's documents as they are, each when it is made and each time that its status has changed.",
    args: { projectId: t.arg.id({ required: true, description: 'The project.' }) },
    authScopes: { permission: 'knowledge:read' },
    subscribe: (_root, args, context, info) =>
      watchDocuments(context, args, queryFromInfo({ context, info })),
    resolve: (_query, document) => document,
  }),
);
