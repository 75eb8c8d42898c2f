import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ValidationPlugin from '@pothos/plugin-validation';
import type { Context } from '../domain/context.ts';
import type { DocumentFile } from '../domain/knowledge/document-original.ts';
import { authScopes, type Permission } from '../domain/permissions.ts';
import { DomainError } from '../platform/errors.ts';
import { isUploadedFile, type UploadedFile } from '../platform/storage/uploaded-file.ts';
import { parseIsoDateTime } from '../text/iso-date-time.ts';
import type PrismaTypes from './generated/pothos-types.ts';
import { getDatamodel } from './generated/pothos-types.ts';
import { optionalCursor, optionalInteger } from './input-rules.ts';

interface SchemaTypes {
  PrismaTypes: PrismaTypes;
  Context: Context;
  DefaultFieldNullability: false;
  AuthScopes: {
    /**
     * Permission that the field requires. The field rejects callers that cannot have this permission in any
     * organization. The domain function then checks the permission for the requested organization or project.
     */
    permission: Permission;
  };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    UploadedFile: { Input: UploadedFile; Output: never };
    JSON: { Input: never; Output: object };
    DocumentFilter: { Input: unknown; Output: never };
    DocumentMetadata: { Input: object; Output: object };
    DocumentFile: { Input: never; Output: DocumentFile };
  };
}

const maxConnectionSize = 100;
const pageSize = optionalInteger(0, maxConnectionSize);

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, PrismaPlugin, RelayPlugin, ValidationPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    filterConnectionTotalCount: true,
    onUnusedQuery: null,
    maxConnectionSize,
    defaultConnectionSize: 20,
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    firstArgOptions: {
      validate: pageSize,
      description: 'Number of items from the start, at most 100. Default: 20.',
    },
    lastArgOptions: {
      validate: pageSize,
      description: 'Number of items from the end, at most 100. Use instead of `first`.',
    },
    afterArgOptions: {
      validate: optionalCursor,
      description: 'Return the items after this cursor.',
    },
    beforeArgOptions: {
      validate: optionalCursor,
      description: 'Return the items before this cursor.',
    },
    defaultConnectionTypeOptions: { description: 'A page of a list (Relay connection).' },
    defaultEdgeTypeOptions: { description: 'An item of a list and its cursor.' },
    edgesFieldOptions: { description: 'Items with their cursors, in list order.' },
    cursorFieldOptions: { description: 'Position of the item, for `after` and `before`.' },
    pageInfoTypeOptions: {
      description:
        'First and last cursor of a page, and whether there are pages before and after it.',
    },
    startCursorFieldOptions: {
      description: 'Cursor of the first item. Null if the page is empty.',
    },
    endCursorFieldOptions: { description: 'Cursor of the last item. Null if the page is empty.' },
  },
  scopeAuth: { authorizeOnSubscribe: true, authScopes },
  validation: {
    validationError: ({ issues }) =>
      new DomainError(
        'VALIDATION_FAILED',
        issues.map(({ path, message }) => `${fieldName(path)} ${message}`),
      ),
  },
});

builder.queryType({ description: 'Operations that read data.' });
builder.mutationType({ description: 'Operations that change data.' });
builder.subscriptionType({
  description: 'Event streams over server-sent events (GraphQL over SSE).',
});

builder.scalarType('DateTime', {
  description: 'Point in time in ISO 8601, UTC, with milliseconds: `2026-11-21T09:30:00.000Z`.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const date = typeof value === 'string' ? parseIsoDateTime(value) : null;
    if (date !== null) return date;
    throw new DomainError(
      'VALIDATION_FAILED',
      'A DateTime must be an ISO 8601 time with a time zone, such as 2026-11-21T09:30:00Z',
    );
  },
});

builder.scalarType('UploadedFile', {
  description: 'A file received by the REST API. It cannot be sent through GraphQL.',
  serialize: () => null as never,
  parseValue: (value) => {
    if (isUploadedFile(value)) return value;
    throw new DomainError(
      'VALIDATION_FAILED',
      'Files cannot be sent through GraphQL: upload them through the REST API',
    );
  },
});

builder.scalarType('DocumentMetadata', {
  description:
    'A flat JSON object: at most 50 keys of A-Z, a-z, 0-9, _, . and -, whose values are strings, numbers, booleans or arrays of strings.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'object' && value !== null) return value;
    throw new DomainError('VALIDATION_FAILED', 'metadata must be an object');
  },
});

builder.scalarType('DocumentFile', {
  description:
    'The content of a file. Only the REST API can read it; GraphQL responses contain null.',
  serialize: (file) => file,
  parseValue: () => {
    throw new DomainError('VALIDATION_FAILED', 'Files cannot be sent through GraphQL');
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value. Output only.',
  serialize: (value) => value,
  parseValue: () => {
    throw new DomainError('VALIDATION_FAILED', 'JSON values cannot be used as input');
  },
});

builder.scalarType('DocumentFilter', {
  description:
    'Selects documents: an object such as `{"tags": {"in": ["hr"]}, "metadata.year": {"gte": 2024}}`. All its conditions must be true. Fields: `tags`, `name`, `externalId`, `sourceUrl`, `sourceId`, `createdAt`, `metadata.<key>`. Operators: `eq`, `ne`, `in`, `nin`, `gt`, `gte`, `lt`, `lte`, `exists`. `and` and `or` contain a list of filters, `not` contains one. At most 5 levels, 50 conditions and 200 values.',
  serialize: () => null as never,
  parseValue: (value) => value,
});

/**
 * Returns the path of the invalid field. Omits the leading `input`, which is the name of the argument that contains all
 * fields.
 */
function fieldName(
  path: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined,
): string {
  const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return (keys[0] === 'input' ? keys.slice(1) : keys).join('.') || 'input';
}
