import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type {
  IdempotencyClaim,
  StoredResponse,
} from '../../domain/idempotency/claim-idempotency-key.ts';
import { jsonHeaders, shutdownSignal } from '../../http/exchange.ts';
import { streamHeaders } from '../../http/send-events.ts';
import { DomainError } from '../../platform/errors.ts';
import { idempotentReplayedHeaderName } from '../openapi/openapi-idempotency.ts';
import type { JsonObject } from './read-json-body.ts';
import type { ResponseRecorder, RestCall, RestDependencies } from './rest-call.ts';

/** A validated request with its `Idempotency-Key`. The fingerprint is computed from all other fields. */
export interface IdempotentCall {
  readonly key: string;
  readonly operation: { readonly id: string; readonly returnsSecret: boolean };
  readonly path: object;
  readonly query: JsonObject;
  readonly body: JsonObject;
  readonly file: { readonly name: string; readonly sha256: string } | undefined;
}

/**
 * Runs `execute` at most once per `Idempotency-Key` of an API key. A repeated request gets the stored response of the
 * first request. Only successful responses are stored, so that a failed request can be retried. A response is stored
 * before the client receives its end.
 * The domain stores its effect and the key in one transaction. If the process dies after this transaction, a repeated
 * request returns that effect.
 * A resumable answer continues after its client disconnects. Until it ends, it keeps its claim on the key.
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when another request used the key.
 * @throws DomainError IDEMPOTENCY_KEY_IN_USE while the first request is running.
 */
export async function executeIdempotently(
  service: Pick<RestDependencies, 'claimIdempotencyKey' | 'stopping'>,
  call: RestCall,
  request: IdempotentCall,
  execute: (call: RestCall) => Promise<void>,
): Promise<void> {
  const state = await service.claimIdempotencyKey(call.context, {
    keyId: call.caller.keyId,
    idempotencyKey: request.key,
    fingerprint: computeFingerprint(request),
  });
  const seal = request.operation.returnsSecret ? createSeal(call, request.key) : noSeal;
  if (state.type === 'ANSWERED') {
    const { body, ...answer } = state.answer;
    return replayResponse(call.response, { ...answer, body: seal.open(body) });
  }
  await using claim = state.claim;
  using detached = shutdownSignal(service.stopping);
  const signal = request.body.resumable === true ? detached.signal : call.context.signal;
  const context = { ...call.context, signal, claimedKey: claim.claimedKey };
  await execute({ ...call, context, recorder: createResponseRecorder(claim, call.response, seal) });
}

/** Hashes an upload by file name and content, because its multipart boundaries differ in every request. */
function computeFingerprint({ operation, path, query, body, file }: IdempotentCall): Uint8Array {
  const content = file && { name: file.name, sha256: file.sha256 };
  const text = stringify([operation.id, path, query, body, content]);
  return createHash('sha256').update(text).digest();
}

/**
 * Converts a value to text for the fingerprint.
 * @throws DomainError MALFORMED_REQUEST when the value is nested so deeply that the stack is too small.
 */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value, sortKeys);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DomainError('MALFORMED_REQUEST', 'The body is nested too deeply', { cause });
  }
}

function sortKeys(_field: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function replayResponse(response: Response, { status, headers, body }: StoredResponse): void {
  response.writeHead(status, { ...headers, [idempotentReplayedHeaderName]: 'true' }).end(body);
}

/** Encrypts and decrypts a stored body. */
interface Seal {
  close(body: string): string;
  open(stored: string): string;
}

const noSeal: Seal = { close: (body) => body, open: (stored) => stored };

/** If a response contains a secret, encrypts its body, so that the database does not contain the secret. */
function createSeal({ context: { secretBox }, caller }: RestCall, key: string): Seal {
  const associatedData = `idempotency-key ${caller.keyId} ${key}`;
  return {
    close: (body) => secretBox.encrypt(body, associatedData),
    open: (stored) => secretBox.decrypt(stored, associatedData),
  };
}

function createResponseRecorder(
  claim: IdempotencyClaim,
  response: Response,
  seal: Seal,
): ResponseRecorder {
  const events: string[] = [];
  return {
    async recordJson(status, text) {
      const location = response.getHeader('Location');
      const headers = { ...jsonHeaders(text), ...(location && { Location: String(location) }) };
      await claim.store({ status, headers, body: seal.close(text) });
    },
    async recordEvent(type, text) {
      events.push(text);
      if (type === 'error') await claim.release();
      if (type !== 'done') return;
      await claim.store({ status: 200, headers: streamHeaders, body: events.join('') });
    },
  };
}
