import type { Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Context } from '../domain/context.ts';

/** One request that passed authentication and validation, as a controller sees it. */
export interface Call {
  readonly schema: GraphQLSchema;
  readonly context: CallContext;
  readonly response: Response;
  /** How long a client may leave a stream unread before it is cut off. */
  readonly stallTimeoutMs: number;
}

/** What the facade itself uses of the context; the rest passes through to the schema. */
export type CallContext = Pick<Context, 'signal' | 'log'>;

/** Base of the controllers: one instance serves one call. */
export abstract class RestController {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }
}
