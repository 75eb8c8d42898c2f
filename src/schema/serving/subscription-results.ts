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
import type { Context } from '../../domain/context.ts';
import { maskError } from './mask-errors.ts';
import { requireSubscribedField } from './require-subscribed-field.ts';

/** Returns the result with errors that are safe to send to the client. See `maskError`. */
export function maskResultErrors<R extends ExecutionResult>(result: R, log: Logger): R {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map((error) => maskError(error, log)) };
}

/** Starts a subscription. Returns a result with errors if the subscription cannot start. */
export async function startSubscription(
  args: ExecutionArgs,
  context: Context,
): Promise<SubscriptionResults | ExecutionResult> {
  requireSubscribedField(args);
  const { schema, document, variableValues, operationName } = args;
  const operation = { schema, document, variableValues, operationName };
  // Only the start of the subscription needs the authorization cache, which takes several kB. The cache is freed below.
  const contextValue = { ...context, ...initContextCache() };
  const source = await createSourceEventStream({ ...operation, contextValue });
  Object.assign(contextValue, { [contextCacheSymbol]: undefined });
  if (!isAsyncIterable(source)) return source;
  return new SubscriptionResults(source[Symbol.asyncIterator](), operation, context);
}

/**
 * The results of a subscription, one for each event of its source. Errors are masked. If the source throws, the last
 * result contains the error. Without this result, the connection would just break, and the client could not tell the
 * error from a network failure. Thousands of subscriptions are open at a time, so a class saves memory: instances share
 * methods.
 */
export class SubscriptionResults {
  readonly #source: AsyncIterator<unknown>;
  readonly #operation: ExecutionArgs;
  readonly #context: Context;
  #isDone = false;
  /** Called when the subscription is closed. */
  onClose: (() => void) | null = null;

  constructor(source: AsyncIterator<unknown>, operation: ExecutionArgs, context: Context) {
    this.#source = source;
    this.#operation = operation;
    this.#context = context;
  }

  /** Logger with the request id. */
  get log(): Logger {
    return this.#context.log;
  }

  /** Returns the next result, or null after the last one. */
  async next(): Promise<ExecutionResult | null> {
    if (this.#isDone) return null;
    try {
      const { done, value } = await this.#source.next();
      return done ? null : maskResultErrors(await this.#executeEvent(value), this.log);
    } catch (error) {
      this.#isDone = true;
      return maskResultErrors({ errors: [toGraphqlError(error)] }, this.log);
    }
  }

  /** Closes the source without waiting, because the source may react late to its abort signal. */
  close(): void {
    this.#isDone = true;
    this.onClose?.();
    Promise.resolve(this.#source.return?.()).catch(() => {});
  }

  /** Uses a new context without cached permissions, so that authorization is checked again for each event. */
  async #executeEvent(rootValue: unknown): Promise<ExecutionResult> {
    return execute({ ...this.#operation, rootValue, contextValue: { ...this.#context } });
  }
}

function toGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
