import type { Request, Response } from 'express';
import { type Adapters, type Context, createContext } from '../../domain/context.ts';
import { requestIdOf, requestOrigin, requestSignal } from '../../http/exchange.ts';
import type { Authenticator } from '../../schema/serving/authenticate.ts';

/** Dependencies of a route for operators. */
export interface OperatorAccess {
  readonly authenticate: Authenticator;
  readonly stopping: AbortSignal;
}

/** Returns the context of the operator who sent the request. */
export async function createOperatorContext(
  adapters: Adapters,
  { authenticate, stopping }: OperatorAccess,
  request: Request,
  response: Response,
): Promise<Context> {
  const caller = await authenticate(request.get('Authorization') ?? null);
  const signal = requestSignal(response, stopping);
  return createContext(adapters, caller, {
    signal,
    requestId: requestIdOf(response),
    origin: requestOrigin(request),
  });
}
