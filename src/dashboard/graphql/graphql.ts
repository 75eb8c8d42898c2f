import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/graphql-env.d.ts';

/** Parses a GraphQL operation and infers the types of its result and variables from the committed schema. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    DateTime: string;
    JSON: unknown;
    DocumentFilter: unknown;
    DocumentMetadata: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  };
}>();
