import { queryFromInfo } from '@pothos/plugin-prisma';
import { maxExternalIdLength, maxTagLength } from '../../domain/knowledge/document-details.ts';
import {
  getDocumentOriginal,
  type DocumentOriginal as Original,
} from '../../domain/knowledge/document-original.ts';
import {
  getDocumentText,
  type DocumentText as Text,
} from '../../domain/knowledge/document-text.ts';
import {
  getDocument,
  listDocuments,
  listDocumentsByPage,
} from '../../domain/knowledge/documents.ts';
import { watchDocuments } from '../../domain/knowledge/watch-documents.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalText } from '../input-rules.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';
import { Document, DocumentStatus } from './document.ts';

const DocumentOrder = builder.enumType('DocumentOrder', {
  description: 'Sort order of documents.',
  values: {
    NEWEST: { description: 'Latest creation first.' },
    OLDEST: { description: 'Earliest creation first.' },
    NAME: { description: 'By name, ascending.' },
    LARGEST: { description: 'By size of the original, largest first.' },
  },
});

const DocumentPage = createPageType('DocumentPage', Document);

const DocumentText = builder.objectRef<Text>('DocumentText').implement({
  description: 'The text of a document that searches find.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'Offsets of citations and search results count its Unicode code points.',
    }),
    version: t.exposeInt('version', {
      description:
        'Version of the document that the text is of. While a replacement is processed, the one before.',
    }),
  }),
});

const DocumentOriginal = builder.objectRef<Original>('DocumentOriginal').implement({
  description: 'The original file or text of a document.',
  fields: (t) => ({
    name: t.exposeString('name'),
    mimeType: t.exposeString('mimeType', { description: 'Detected MIME type of the content.' }),
    sizeBytes: t.exposeFloat('sizeBytes'),
    file: t.field({
      type: 'DocumentFile',
      description:
        'The content. Only the REST API can read it; see `GET /api/v1/knowledge/documents/{documentId}/original`.',
      resolve: ({ file }) => file,
    }),
  }),
});

/** Arguments of lists of documents. */
const filterArguments = builder.args((t) => ({
  search: t.string({
    description: 'Substring of the name, case-insensitive, at most 255 characters.',
  }),
  status: t.field({ type: DocumentStatus }),
  externalId: t.string({
    description: 'Only the document with this `externalId`, the id that the caller has given it.',
  }),
  tag: t.string({ description: 'Only documents with this tag.' }),
  sourceId: t.id({ description: 'Only documents of this source.' }),
  mimeType: t.string({
    description: 'Only documents with this MIME type, at most 255 characters.',
  }),
  language: t.string({
    description: 'Only documents in this language, an ISO 639-1 code such as `de`.',
  }),
  hasWarnings: t.boolean({
    description: 'True: only documents with warnings. False: only documents without.',
  }),
}));

const filterArgumentSchemas = {
  search: optionalText(255),
  externalId: optionalText(maxExternalIdLength),
  tag: optionalText(maxTagLength),
  mimeType: optionalText(255),
  language: optionalText(2),
};

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
  documentText: t.field({
    type: DocumentText,
    description: 'The text of a document. Refused with CONFLICT before the document is READY.',
    args: { projectId: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => getDocumentText(context, args),
  }),
  documentOriginal: t.field({
    type: DocumentOriginal,
    description: 'The original file or text of a document, of its latest version.',
    args: { projectId: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => getDocumentOriginal(context, args),
  }),
  documents: t.prismaConnection({
    type: Document,
    cursor: 'place',
    description: 'Documents of a project, newest first.',
    args: {
      projectId: t.arg.id({ required: true }),
      ...filterArguments,
    },
    validate: fieldsSchema(filterArgumentSchemas),
    authScopes: { permission: 'knowledge:read' },
    resolve: (query, _root, args, context) => listDocuments(context, args, query),
  }),
  documentPage: t.field({
    type: DocumentPage,
    description: 'Documents of a project by page number.',
    args: {
      projectId: t.arg.id({ required: true }),
      ...pageArguments,
      ...filterArguments,
      order: t.arg({ type: DocumentOrder, description: 'Sort order. Default: NEWEST.' }),
    },
    validate: fieldsSchema({ ...pageArgumentSchemas, ...filterArgumentSchemas }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => listDocumentsByPage(context, args),
  }),
}));

builder.subscriptionField('documentUpdated', (t) =>
  t.prismaField({
    type: Document,
    description:
      'Emits a document when it is created, and each time its status, the reason of its wait, its version or its details change.',
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'knowledge:read' },
    subscribe: (_root, args, context, info) =>
      watchDocuments(context, args, queryFromInfo({ context, info })),
    resolve: (_query, document) => document,
  }),
);
