import { type DocumentNode, GraphQLError, Kind, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../domain/context.ts';
import { DomainError } from '../platform/errors.ts';

/** Refuses to describe the schema to anonymous callers. */
export const protectIntrospection: Plugin<Context> = {
  onExecute({ args, setResultAndStopExecution }) {
    const { caller } = args.contextValue as Context;
    if (caller.type !== 'anonymous' || !readsSchema(args.document)) return;
    const error = new DomainError(
      'UNAUTHENTICATED',
      'Introspection requires an API key or a token: send the header "Authorization: Bearer …"',
    );
    setResultAndStopExecution({
      errors: [new GraphQLError(error.message, { originalError: error })],
    });
  },
};

function readsSchema(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    [Kind.FIELD]: ({ name }) => {
      isFound ||= name.value === '__schema' || name.value === '__type';
    },
  });
  return isFound;
}
