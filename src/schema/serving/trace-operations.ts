import type { Plugin } from 'graphql-yoga';
import { operationSpan } from '../../http/operation-span.ts';
import { inSpan, isTracing, recordFailure } from '../../platform/tracing/tracer.ts';

/** Executes queries and mutations in a span. An operation with errors has failed, also if it has data. */
export const traceOperations: Plugin = {
  onExecute({ args: { document, operationName }, executeFn, setExecuteFn }) {
    if (!isTracing()) return;
    setExecuteFn((args) =>
      inSpan(...operationSpan(document, operationName), async (span) => {
        const result = await executeFn(args);
        const [error] = ('errors' in result && result.errors) || [];
        if (span !== null && error !== undefined) recordFailure(span, error.originalError ?? error);
        return result;
      }),
    );
  },
};
