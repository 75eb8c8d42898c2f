import type { Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Context } from '../domain/context.ts';

/** One request that passed authentication and validation, as a controller sees it. */
export interface Call {
  readonly schema: GraphQLSchema;
  readonly context: Context;
  readonly response: Response;
  /** How long a client may leave a stream unread before it is cut off. */
  readonly stallTimeoutMs: number;
}

/** Base of the controllers: one instance serves one call. */
export abstract class RestController {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }
}
