import type { Router } from 'express';
import type { Logger } from 'pino';
import { authenticateKey } from '../domain/api-keys/authenticate-key.ts';
import { type Adapters, createContext } from '../domain/context.ts';
import { claimKey } from '../domain/idempotency/claim-key.ts';
import { uploadLimitBytes } from '../domain/plans.ts';
import { schema } from '../schema/schema.ts';
import { restRouter } from './rest-router.ts';

/** The public REST interface, to be mounted at `/api/v1`. */
export function createRestApi(
  adapters: Adapters,
  options: {
    readonly log: Logger;
    readonly stallTimeoutMs: number;
    readonly stopping: AbortSignal;
  },
): Router {
  return restRouter({
    schema,
    authenticate: (authorization) => authenticateKey(adapters, authorization),
    contextFor: (caller, request) => createContext(adapters, caller, request),
    uploadLimitBytes,
    claimKey,
    ...options,
  });
}
