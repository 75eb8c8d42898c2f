import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ValidationPlugin from '@pothos/plugin-validation';
import { type Permission, requirePermission } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { isUploadedFile, type UploadedFile } from '../domain/knowledge/uploaded-file.ts';
import type PrismaTypes from './generated/pothos-types.ts';
import { getDatamodel } from './generated/pothos-types.ts';
import { cursor } from './text-rules.ts';

interface SchemaTypes {
  PrismaTypes: PrismaTypes;
  Context: Context;
  DefaultFieldNullability: false;
  AuthScopes: {
    /** What the caller must be allowed to do; the verb then judges where. */
    permission: Permission;
  };
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    UploadedFile: { Input: UploadedFile; Output: never };
    JSON: { Input: never; Output: object };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, PrismaPlugin, RelayPlugin, ValidationPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    filterConnectionTotalCount: true,
    onUnusedQuery: null,
    maxConnectionSize: 100,
    defaultConnectionSize: 20,
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    firstArgOptions: { description: 'How many from the beginning: 20 when left out, at most 100.' },
    lastArgOptions: { description: 'How many from the end instead, at most 100.' },
    afterArgOptions: { validate: cursor, description: 'The cursor of the entry before the first.' },
    beforeArgOptions: { validate: cursor, description: 'The cursor of the entry behind the last.' },
    defaultConnectionTypeOptions: { description: 'A part of a list.' },
    defaultEdgeTypeOptions: { description: 'An entry of a list with its place.' },
    edgesFieldOptions: { description: 'The entries, in order.' },
    nodeFieldOptions: { description: 'The entry itself.' },
    cursorFieldOptions: { description: 'Its place, for `after` and `before`.' },
    pageInfoFieldOptions: { description: 'What there is beside this part.' },
    pageInfoTypeOptions: { description: 'Where a part of a list begins and ends.' },
    hasNextPageFieldOptions: { description: 'Whether entries follow.' },
    hasPreviousPageFieldOptions: { description: 'Whether entries come before.' },
    startCursorFieldOptions: { description: 'The place of the first entry.' },
    endCursorFieldOptions: { description: 'The place of the last entry.' },
  },
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ caller }) => ({
      permission: (permission) => {
        requirePermission(caller, permission);
        return true;
      },
    }),
  },
  validation: {
    validationError: ({ issues }) =>
      new DomainError(
        'VALIDATION_FAILED',
        issues.map(({ path, message }) => `${fieldName(path)} ${message}`),
      ),
  },
});

builder.queryType({ description: 'What can be read.' });
builder.mutationType({ description: 'What can be changed.' });
builder.subscriptionType({ description: 'What can be followed as it happens.' });

builder.scalarType('DateTime', {
  description: 'A moment in ISO 8601, UTC, with milliseconds: `2026-11-21T09:30:00.000Z`.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    if (typeof value === 'string' && isoPattern.test(value) && isDay(value.slice(0, 10))) {
      const date = new Date(value);
      if (!Number.isNaN(date.getTime())) return date;
    }
    throw new DomainError('VALIDATION_FAILED', 'A DateTime must be an ISO 8601 moment');
  },
});

builder.scalarType('UploadedFile', {
  description: 'A file that the REST interface has received. It cannot be sent through GraphQL.',
  serialize: () => null as never,
  parseValue: (value) => {
    if (isUploadedFile(value)) return value;
    throw new DomainError('VALIDATION_FAILED', 'Files are uploaded through the REST interface');
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value. It is only ever given, never taken.',
  serialize: (value) => value,
  parseValue: () => {
    throw new DomainError('VALIDATION_FAILED', 'JSON is not taken as input');
  },
});

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** `Date` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The field that an issue speaks of; `input` itself is the envelope, not a field. */
function fieldName(
  path: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined,
): string {
  const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return (keys[0] === 'input' ? keys.slice(1) : keys).join('.') || 'input';
}
