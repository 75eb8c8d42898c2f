import { contextCacheSymbol, initContextCache } from '@pothos/core';
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
} from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context } from '../domain/context.ts';
import { publicError } from './errors.ts';

/** An answer as a client may see it. */
export function publicResult<R extends ExecutionResult>(result: R, log: Logger): R {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map((error) => publicError(error, log)) };
}

/** Begins a subscription; gives the answer that says why where it cannot. */
export async function subscribeTo(
  { schema, document, variableValues, operationName }: ExecutionArgs,
  context: Context,
): Promise<Results | ExecutionResult> {
  const operation = { schema, document, variableValues, operationName };
  // What was found out about the caller in order to subscribe, several kB of it, goes with its key.
  const contextValue = { ...context, ...initContextCache() };
  const source = await createSourceEventStream({ ...operation, contextValue });
  Object.assign(contextValue, { [contextCacheSymbol]: undefined });
  if (!isAsyncIterable(source)) return source;
  return new Results(source[Symbol.asyncIterator](), operation, context);
}

/**
 * The results of a subscription, as a client may see them, each executed anew from an event of its source. If the
 * source throws, its error is the last of them: left alone, it would end the connection in the middle, which a client
 * cannot tell from a network that failed. A class, because there are thousands: methods are shared, closures are not.
 */
export class Results {
  readonly #source: AsyncIterator<unknown>;
  readonly #operation: ExecutionArgs;
  readonly #context: Context;
  #isOver = false;

  constructor(source: AsyncIterator<unknown>, operation: ExecutionArgs, context: Context) {
    this.#source = source;
    this.#operation = operation;
    this.#context = context;
  }

  /** Speaks with the request's id. */
  get log(): Logger {
    return this.#context.log;
  }

  /** The next result; null once there is none. */
  async next(): Promise<ExecutionResult | null> {
    if (this.#isOver) return null;
    try {
      const { done, value } = await this.#source.next();
      return done ? null : publicResult(await this.#resultOf(value), this.log);
    } catch (error) {
      this.#isOver = true;
      return publicResult({ errors: [asGraphqlError(error)] }, this.log);
    }
  }

  /** The source may be in the middle of something that heeds its signal late; nobody waits for it. */
  close(): void {
    this.#isOver = true;
    Promise.resolve(this.#source.return?.()).catch(() => {});
  }

  /** With a context of its own, so that what the caller may see is judged with each event. */
  async #resultOf(rootValue: unknown): Promise<ExecutionResult> {
    return execute({ ...this.#operation, rootValue, contextValue: { ...this.#context } });
  }
}

function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
