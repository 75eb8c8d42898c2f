import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Claim, StoredAnswer } from '../domain/idempotency/claim-key.ts';
import type { AnswerRecord, Call } from './call.ts';
import { idempotencyKey, idempotentReplayed } from './idempotent-openapi.ts';
import type { JsonObject } from './read-json-body.ts';
import { lastingSignal } from './request-signal.ts';
import { jsonHeaders } from './send-json.ts';
import type { RestService } from './serve-operation.ts';
import { streamHeaders } from './sse.ts';

/** What tells a request from others, once it is validated. */
export interface ValidRequest {
  readonly operation: { readonly id: string };
  readonly headers: JsonObject;
  readonly path: object;
  readonly query: JsonObject;
  readonly body: JsonObject;
  readonly file: { readonly name: string; readonly sha256: string } | undefined;
}

/**
 * Answers with `answer`, at most once per `Idempotency-Key` of an API key: a repetition of the request gets what
 * the first one was answered. Only successes are kept, so that what failed can be tried again; and they are kept
 * before the client can see their end, so that it never repeats a request in vain.
 * A resumable answer goes on without its client, and so does its claim. Throws what `claimKey` throws.
 */
export async function answerOnce(
  service: Pick<RestService, 'claimKey' | 'stopping'>,
  call: Call,
  request: ValidRequest,
  answer: (call: Call) => Promise<void>,
): Promise<void> {
  const key = request.headers[idempotencyKey];
  if (typeof key !== 'string') return answer(call);
  const state = await service.claimKey(call.context, {
    keyId: call.caller.keyId,
    idempotencyKey: key,
    fingerprint: fingerprintOf(request),
  });
  if (state.type === 'ANSWERED') return replay(call.response, state.answer);
  await using claim = state.claim;
  using lasting = lastingSignal(service.stopping);
  const signal = request.body.resumable === true ? lasting.signal : call.context.signal;
  const context = { ...call.context, signal };
  await answer({ ...call, context, record: recordFor(claim, call.response) });
}

/** Two forms of one file have boundaries of their own, so a file counts by its name and content. */
function fingerprintOf({ operation, path, query, body, file }: ValidRequest): Uint8Array {
  const content = file && { name: file.name, sha256: file.sha256 };
  const text = JSON.stringify([operation.id, path, query, body, content], sortFields);
  return createHash('sha256').update(text).digest();
}

function sortFields(_field: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function replay(response: Response, { status, headers, body }: StoredAnswer): void {
  response.writeHead(status, { ...headers, [idempotentReplayed]: 'true' }).end(body);
}

function recordFor(claim: Claim, response: Response): AnswerRecord {
  const frames: string[] = [];
  return {
    async json(status, text) {
      const location = response.getHeader('Location');
      const headers = { ...jsonHeaders(text), ...(location && { Location: String(location) }) };
      await claim.store({ status, headers, body: text });
    },
    async frame(type, text) {
      frames.push(text);
      if (type === 'error') await claim.release();
      if (type !== 'done') return;
      await claim.store({ status: 200, headers: streamHeaders, body: frames.join('') });
    },
  };
}
