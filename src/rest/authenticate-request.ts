import type { Request, Response } from 'express';
import type { AuthenticatedKey } from '../domain/api-keys/authenticate-key.ts';
import type { ApiKeyCaller, Caller } from '../domain/caller.ts';
import { requireWithinRateLimit } from '../domain/usage/rate-limit.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/** What `response.locals` holds of a request for its log line, as soon as it is known. */
export interface ResponseLocals {
  caller?: Caller;
  /** What the request says it is, which need not be an id. */
  projectId?: string;
}

/**
 * Who sends the request, noted in `response.locals`. From here on every answer, of whatever kind, says how the key
 * stands with its rate limit. Throws `UNAUTHENTICATED` or `RATE_LIMITED`.
 */
export async function authenticateRequest(
  request: Request,
  response: Response<unknown, ResponseLocals>,
  authenticate: (authorization: string | undefined) => Promise<AuthenticatedKey>,
): Promise<ApiKeyCaller> {
  const { caller, rateLimit } = await authenticate(request.get('Authorization'));
  response.locals.caller = caller;
  response.setHeaders(rateLimitHeaders(rateLimit));
  requireWithinRateLimit(rateLimit);
  return caller;
}
