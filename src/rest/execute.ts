import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  subscribe,
  validate,
} from 'graphql';
import type { Call } from './call.ts';

/** A GraphQL document and, for the compiler alone, the shape of its answer. */
export interface TypedDocument<Result> {
  readonly source: string;
  readonly result?: Result;
}

/** Where and for whom a document is run. */
export type SchemaCall = Pick<Call, 'schema' | 'context'>;

/** A document whose selection set is the wire shape `Result`. */
export function graphql<Result>(source: string): TypedDocument<Result> {
  return { source };
}

/** Runs a query or mutation in process. Throws the `GraphQLError` of the first field that failed. */
export async function run<Result>(
  call: SchemaCall,
  document: TypedDocument<Result>,
  variables: object,
): Promise<Result> {
  return dataOf<Result>(await execute(executionArgs(call, document, variables)));
}

/**
 * Subscribes in process. Throws the `GraphQLError` when the subscription is refused; the iterator
 * throws the one that ends it later.
 */
export async function watch<Result>(
  call: SchemaCall,
  document: TypedDocument<Result>,
  variables: object,
): Promise<AsyncIterator<Result, undefined>> {
  const results = await subscribe(executionArgs(call, document, variables));
  if (!(Symbol.asyncIterator in results)) throw failureOf(results);
  return {
    async next() {
      const { done, value } = await results.next();
      return done ? { done, value: undefined } : { done: false, value: dataOf<Result>(value) };
    },
    async return() {
      await results.return(undefined);
      return { done: true, value: undefined };
    },
  };
}

function executionArgs(call: SchemaCall, document: TypedDocument<unknown>, variables: object) {
  return {
    schema: call.schema,
    document: prepare(call.schema, document.source),
    contextValue: call.context,
    variableValues: { ...variables },
  };
}

const prepared = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>();

/** Parses and validates a document of ours once per schema. */
function prepare(schema: GraphQLSchema, source: string): DocumentNode {
  const documents = prepared.get(schema) ?? new Map<string, DocumentNode>();
  prepared.set(schema, documents);
  const known = documents.get(source);
  if (known !== undefined) return known;

  const document = parse(source, { noLocation: true });
  const [error] = validate(schema, document);
  if (error !== undefined) throw error;
  documents.set(source, document);
  return document;
}

/** The document was validated against the schema, so that its data has the selected shape. */
function dataOf<Result>(result: ExecutionResult): Result {
  if (result.errors !== undefined || result.data == null) throw failureOf(result);
  return result.data as Result;
}

function failureOf(result: ExecutionResult): Error {
  return result.errors?.[0] ?? new Error('The schema answered neither data nor an error');
}
