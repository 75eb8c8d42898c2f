import type { Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { AuthenticatedKey } from '../../domain/api-keys/authenticate-key.ts';
import type { ApiKeyCaller, Caller } from '../../domain/caller.ts';
import type { Context, RequestScope } from '../../domain/context.ts';
import type {
  ClaimResult,
  IdempotentRequest,
} from '../../domain/idempotency/claim-idempotency-key.ts';

/** Dependencies of an interface for API keys. */
export interface KeyApiDependencies {
  readonly schema: GraphQLSchema;
  /** Rejects with `UNAUTHENTICATED` if the header contains no valid API key. */
  authenticate(authorization: string | undefined): Promise<AuthenticatedKey>;
  contextFor(caller: Caller, request: RequestScope): Context;
  readonly log: Logger;
  readonly stallTimeoutMs: number;
  /** Aborts with a `DomainError` when the service stops and running requests must finish. */
  readonly stopping: AbortSignal;
}

/** Dependencies of the REST interface. Tests pass their own. */
export interface RestDependencies extends KeyApiDependencies {
  uploadLimitBytes(context: Context): Promise<number>;
  /** Rejects with `IDEMPOTENCY_KEY_REUSED` or `IDEMPOTENCY_KEY_IN_USE`. */
  claimIdempotencyKey(context: Context, request: IdempotentRequest): Promise<ClaimResult>;
}

/** An authenticated, validated request as a controller receives it. */
export interface RestCall {
  readonly schema: GraphQLSchema;
  readonly caller: ApiKeyCaller;
  readonly context: Context;
  readonly response: Response;
  /** How long a client may leave a stream unread before the service disconnects the client. */
  readonly stallTimeoutMs: number;
  /** Stores the response for repeated requests. Null without an `Idempotency-Key`. */
  readonly recorder: ResponseRecorder | null;
}

/** Receives each part of a successful response right before it is sent. */
export interface ResponseRecorder {
  recordJson(status: number, text: string): Promise<void>;
  recordEvent(type: string, text: string): Promise<void>;
}

/** Call of a controller that only executes GraphQL documents. */
export type GraphqlCall = Pick<RestCall, 'schema' | 'context'>;

/** Base class of the controllers. Each instance serves one call. */
export abstract class RestController<Call extends GraphqlCall = RestCall> {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }
}
