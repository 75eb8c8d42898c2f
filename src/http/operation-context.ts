import { type DocumentNode, getOperationAST, OperationTypeNode } from 'graphql';
import { type Context, fromReplica } from '../domain/context.ts';

/** Returns the context in which a GraphQL operation runs: queries may read from a replica. */
export function operationContext(context: Context, document: DocumentNode, name?: string): Context {
  const operation = getOperationAST(document, name);
  return operation?.operation === OperationTypeNode.QUERY ? fromReplica(context) : context;
}
