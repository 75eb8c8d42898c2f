import { type ExecutionResult, GraphQLError } from 'graphql';

/**
 * The results of a subscription; if their source throws, its error is the last of them. Left alone, it would end the
 * connection in the middle, which a client cannot tell from a network that failed.
 */
export function withLastError(
  results: AsyncIterable<ExecutionResult>,
): AsyncIterable<ExecutionResult> {
  const source = results[Symbol.asyncIterator]();
  let isOver = false;
  const over = { done: true, value: undefined } as const;
  const guarded: AsyncIterator<ExecutionResult, void> = {
    async next() {
      if (isOver) return over;
      try {
        const result = await source.next();
        return result.done ? over : result;
      } catch (error) {
        isOver = true;
        return { done: false, value: { errors: [asGraphqlError(error)] } };
      }
    },
    async return() {
      isOver = true;
      await source.return?.();
      return over;
    },
  };
  return { [Symbol.asyncIterator]: () => guarded };
}

function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
