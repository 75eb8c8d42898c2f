import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { operationContext } from '../../http/operation-context.ts';
import { operationSpan } from '../../http/operation-span.ts';
import { startResponseBudget } from '../../http/response-budget.ts';
import type { Span } from '../../platform/tracing/span.ts';
import { inSpan, recordFailure, startSpan } from '../../platform/tracing/tracer.ts';
import type { GraphqlCall } from '../request/rest-call.ts';
import type { DocumentOf, NoOthers, TypedDocument, ValidText } from './typed-document.ts';

/** Creates a document. Its text must be constant, so that TypeScript can derive the types of result and variables. */
export function graphql<const Source extends string>(
  source: Source & ValidText<Source>,
): DocumentOf<Source> {
  return { source };
}

/**
 * Executes a query or mutation in process. If a field fails, throws what the resolver of the first failed field threw. The
 * result of a query has the size limit of GraphQL responses, unless `isWhole` is set: a text or transcript is returned
 * whole.
 */
export async function executeGraphql<Result, Variables extends object, Given extends Variables>(
  call: GraphqlCall,
  document: TypedDocument<Result, Variables>,
  variables: Given & NoOthers<Given, Variables>,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Promise<Result> {
  const args = executionArgs(call, document, variables);
  const isQuery = getOperationAST(args.document)?.operation === OperationTypeNode.QUERY;
  return inSpan(...operationSpan(args.document), async () => {
    if (!isQuery || isWhole) return requireData<Result>(await execute(args));
    const contextValue = { ...args.contextValue };
    startResponseBudget(contextValue);
    return requireData<Result>(await execute({ ...args, contextValue }));
  });
}

/**
 * Subscribes in process. Throws what the resolver of a refused subscription threw. If an error ends the subscription later,
 * the iterator throws it.
 *
 * `readDirectly` returns the result of an event whose fields need no resolver, and null for other events. If it returns
 * a result, the event is not executed, because execution costs more than all other work for a part of an answer.
 */
export async function subscribeGraphql<Result, Variables extends object, Given extends Variables>(
  call: GraphqlCall,
  document: TypedDocument<Result, Variables>,
  variables: Given & NoOthers<Given, Variables>,
  readDirectly: (event: unknown) => Result | null = () => null,
): Promise<AsyncIterator<Result, undefined>> {
  const args = executionArgs(call, document, variables);
  const start = async () => {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) throw firstError(source);
    return source[Symbol.asyncIterator]();
  };
  const span = startSpan(...operationSpan(args.document));
  const events = await (span === null ? start() : runUntilFailure(span, start));
  const next = async (): Promise<IteratorResult<Result, undefined>> => {
    const { done, value } = await events.next();
    if (done) {
      span?.end();
      return { done, value: undefined };
    }
    const direct = readDirectly(value);
    if (direct !== null) return { done: false, value: direct };
    const result = await execute({ ...args, rootValue: value });
    return { done: false, value: requireData<Result>(result) };
  };
  return {
    next: span === null ? next : () => runUntilFailure(span, next),
    async return() {
      await events.return?.(undefined);
      span?.end();
      return { done: true, value: undefined };
    },
  };
}

/** Runs a part of the work of a span. If it fails, this ends the span. */
async function runUntilFailure<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await span.run(work);
  } catch (error) {
    recordFailure(span, error);
    span.end();
    throw error;
  }
}

/** If `ChatDelta` exposes the domain event unchanged, returns its text. Returns null for any other event. */
export function deltaTextOf(event: unknown): string | null {
  const isDelta =
    typeof event === 'object' &&
    event !== null &&
    'type' in event &&
    event.type === 'delta' &&
    'text' in event;
  return isDelta && typeof event.text === 'string' ? event.text : null;
}

function executionArgs(
  call: GraphqlCall,
  { source }: TypedDocument<unknown, object>,
  variables: object,
) {
  const document = parseAndValidate(call.schema, source);
  return {
    schema: call.schema,
    document,
    contextValue: operationContext(call.context, document),
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

/** Returns the data. Their shape is known, because the document was validated against the schema. */
function requireData<Result>(result: ExecutionResult): Result {
  if (result.errors !== undefined || result.data == null) throw firstError(result);
  return result.data as Result;
}

function firstError(result: ExecutionResult): Error {
  const [error] = result.errors ?? [];
  return (
    error?.originalError ?? error ?? new Error('The schema returned neither data nor an error')
  );
}
