import type { Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { ApiKeyCaller } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';

/** One request that passed authentication and validation, as a controller sees it. */
export interface Call {
  readonly schema: GraphQLSchema;
  readonly caller: ApiKeyCaller;
  readonly context: Context;
  readonly response: Response;
  /** How long a client may leave a stream unread before it is cut off. */
  readonly stallTimeoutMs: number;
  /** Keeps the answer for those who repeat the request; null where it has no `Idempotency-Key`. */
  readonly record: AnswerRecord | null;
}

/** Told of everything a success is answered with, right before it is sent. */
export interface AnswerRecord {
  json(status: number, text: string): Promise<void>;
  frame(type: string, text: string): Promise<void>;
}

/** Base of the controllers: one instance serves one call. */
export abstract class RestController {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }
}
