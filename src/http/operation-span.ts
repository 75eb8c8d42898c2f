import { type DocumentNode, getOperationAST } from 'graphql';
import type { SpanSettings } from '../platform/tracing/span.ts';
import { isTracing } from '../platform/tracing/tracer.ts';

const maxNameLength = 100;
const notTraced = ['operation', {}] as const;

/** Returns name and settings of the span of a GraphQL operation. It contains neither the text nor the variables. */
export function operationSpan(
  document: DocumentNode,
  operationName?: string | null,
): readonly [name: string, settings: SpanSettings] {
  if (!isTracing()) return notTraced;
  const operation = getOperationAST(document, operationName);
  const type = operation?.operation ?? 'query';
  const name = operation?.name?.value.slice(0, maxNameLength);
  const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': name };
  return [name === undefined ? type : `${type} ${name}`, { attributes }];
}
