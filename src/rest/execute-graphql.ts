import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  subscribe,
  validate,
} from 'graphql';
import type { RestCall } from './serve-operation.ts';

/** A GraphQL document. `result` exists only for the type checker. */
export interface TypedDocument<Result> {
  readonly source: string;
  readonly result?: Result;
}

/** The schema and the context that a document is executed with. */
export type GraphqlCall = Pick<RestCall, 'schema' | 'context'>;

/** Creates a document whose selection set has the shape `Result`. */
export function graphql<Result>(source: string): TypedDocument<Result> {
  return { source };
}

/** Executes a query or mutation in process. Throws the `GraphQLError` of the first failed field. */
export async function executeGraphql<Result>(
  call: GraphqlCall,
  document: TypedDocument<Result>,
  variables: object,
): Promise<Result> {
  return requireData<Result>(await execute(executionArgs(call, document, variables)));
}

/**
 * Subscribes in process. Throws the `GraphQLError` of a refused subscription. The iterator throws the error that ends
 * the subscription later.
 */
export async function subscribeGraphql<Result>(
  call: GraphqlCall,
  document: TypedDocument<Result>,
  variables: object,
): Promise<AsyncIterator<Result, undefined>> {
  const results = await subscribe(executionArgs(call, document, variables));
  if (!(Symbol.asyncIterator in results)) throw firstError(results);
  return {
    async next() {
      const { done, value } = await results.next();
      return done ? { done, value: undefined } : { done: false, value: requireData<Result>(value) };
    },
    async return() {
      await results.return(undefined);
      return { done: true, value: undefined };
    },
  };
}

function executionArgs(call: GraphqlCall, document: TypedDocument<unknown>, variables: object) {
  return {
    schema: call.schema,
    document: parseAndValidate(call.schema, document.source),
    contextValue: call.context,
    variableValues: { ...variables },
  };
}

const parsedDocuments = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>();

/** Parses and validates each document once per schema. */
function parseAndValidate(schema: GraphQLSchema, source: string): DocumentNode {
  const documents = parsedDocuments.get(schema) ?? new Map<string, DocumentNode>();
  parsedDocuments.set(schema, documents);
  const known = documents.get(source);
  if (known !== undefined) return known;

  const document = parse(source, { noLocation: true });
  const [error] = validate(schema, document);
  if (error !== undefined) throw error;
  documents.set(source, document);
  return document;
}

/** Returns the data, whose shape is known because the document was validated against the schema. */
function requireData<Result>(result: ExecutionResult): Result {
  if (result.errors !== undefined || result.data == null) throw firstError(result);
  return result.data as Result;
}

function firstError(result: ExecutionResult): Error {
  return result.errors?.[0] ?? new Error('The schema returned neither data nor an error');
}
