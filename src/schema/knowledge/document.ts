import { asMetadata } from '../../domain/knowledge/document-details.ts';
import { storedWarnings } from '../../domain/knowledge/document-warnings.ts';
import { isWrittenDocument } from '../../domain/knowledge/written-document.ts';
import type { ExtractWarning } from '../../extract/extracted-text.ts';
import {
  DocumentSourceType as SourceTypes,
  DocumentStatus as Statuses,
} from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { Node } from '../node.ts';

export const DocumentStatus = builder.enumType('DocumentStatus', {
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

const DocumentOutcome = builder.enumType('DocumentOutcome', {
  description: 'Effect of a mutation on a document.',
  values: {
    CREATED: { description: 'The document is new.' },
    REPLACED: { description: 'The content was replaced. The version has changed.' },
    UNCHANGED: { description: 'The content was the same. Name and details may have changed.' },
  },
});

const documentErrorCodes = [
  'UNSUPPORTED_FILE',
  'EMPTY_TEXT',
  'ENCRYPTED',
  'CORRUPT_FILE',
  'TOO_LARGE',
  'EMBEDDING_ERROR',
  'INTERNAL',
] as const;

const DocumentErrorCode = builder.enumType('DocumentErrorCode', {
  description: 'Kind of a failed processing of a document.',
  values: documentErrorCodes,
});

/** The database stores the code as plain text. Unknown codes become `INTERNAL`. */
function documentErrorCode(stored: string) {
  return documentErrorCodes.find((code) => code === stored) ?? 'INTERNAL';
}

const DocumentError = builder
  .objectRef<{ readonly code: (typeof documentErrorCodes)[number]; readonly message: string }>(
    'DocumentError',
  )
  .implement({
    description: 'Why the processing of a document failed.',
    fields: (t) => ({
      code: t.expose('code', { type: DocumentErrorCode }),
      message: t.exposeString('message', { description: 'Human-readable error, safe to display.' }),
    }),
  });

const DocumentWarningCode = builder.enumType('DocumentWarningCode', {
  description: 'Kind of text that a file contains and the searched text lacks.',
  values: [
    'ATTACHED_FILES',
    'HIDDEN_PARTS',
    'COMMENTS',
    'UNREAD_PAGES',
    'UNREAD_PARTS',
    'MISSING_VALUES',
    'DAMAGED_TEXT',
    'RUNNING_HEADERS',
  ],
});

const DocumentWarning = builder.objectRef<ExtractWarning>('DocumentWarning').implement({
  description: 'Something that a file contains and the searched text lacks.',
  fields: (t) => ({
    code: t.expose('code', { type: DocumentWarningCode }),
    message: t.exposeString('message', {
      description: 'Names the missing part and the reason, in English. Safe to display.',
    }),
  }),
});

export const Document = builder.prismaObject('Document', {
  description: "A text or file in a project's knowledge base.",
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    name: t.exposeString('name', { description: 'Title of a text, or name of an uploaded file.' }),
    status: t.expose('status', { type: DocumentStatus }),
    sourceType: t.expose('sourceType', { type: DocumentSourceType }),
    mimeType: t.exposeString('mimeType', {
      description: 'MIME type, detected from the content, then from the file name.',
    }),
    language: t.exposeString('language', {
      nullable: true,
      description:
        'Language of the searched text, detected when it was processed, as an ISO 639-1 code: `de`, `en`, `es`, `fr`, `it`, `nl` or `pt`. Null if it is not clear, another one, or the document was last processed before the service detected it.',
    }),
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
        errorCode === null
          ? null
          : { code: documentErrorCode(errorCode), message: errorMessage ?? errorCode },
    }),
    warnings: t.field({
      type: [DocumentWarning],
      description:
        'Parts of the file that the searched version lacks. Empty if nothing is known to be missing.',
      resolve: ({ warnings }) => storedWarnings(warnings),
    }),
    waitingReason: t.exposeString('waitingReason', {
      nullable: true,
      description:
        'Why a PROCESSING document waits: the embedding model is unavailable. The service retries for 24 hours. Null if it does not wait.',
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: "The caller's own id of the document, unique in the project.",
    }),
    metadata: t.field({
      type: 'DocumentMetadata',
      description: 'Values that the caller has set.',
      resolve: ({ metadata }) => asMetadata(metadata),
    }),
    sourceUrl: t.exposeString('sourceUrl', {
      nullable: true,
      description: 'Address at which people find the document.',
    }),
    tags: t.exposeStringList('tags', { description: 'Labels that the caller has set.' }),
    version: t.exposeInt('version', {
      description: 'Version of the content, from 1. Each replacement adds 1.',
    }),
    publishedVersion: t.exposeInt('publishedVersion', {
      nullable: true,
      description: 'The version that searches find. Null before the document is READY.',
    }),
    sourceId: t.exposeID('sourceId', {
      nullable: true,
      description: 'The source that keeps the document up to date. Null if there is none.',
    }),
    outcome: t.field({
      type: DocumentOutcome,
      nullable: true,
      description: 'Effect of the mutation. Null in queries.',
      resolve: (document) => (isWrittenDocument(document) ? document.outcome : null),
    }),
    duplicateOf: t.id({
      nullable: true,
      description:
        "Id of the project's first other document with the same content. Null if there is none, and in queries.",
      resolve: (document) => (isWrittenDocument(document) ? document.duplicateOf : null),
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
