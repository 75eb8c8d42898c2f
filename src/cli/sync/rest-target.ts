import { setTimeout as sleep } from 'node:timers/promises';
import { asMetadata } from '../../domain/knowledge/document-details.ts';
import { DomainError, errorCodes } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/is-json-object.ts';
import { trimTrailingSlashes } from '../../platform/trim-trailing-slashes.ts';
import { UsageError } from '../command.ts';
import type { SyncTarget, TargetDocument } from './sync-target.ts';

interface RestOptions {
  /** Address of the service, such as `https://chat.example.com`. */
  readonly url: string;
  readonly key: string;
  /** Null: the project that the key is bound to. */
  readonly projectId: string | null;
}

const maxTries = 6;
const maxWaitMs = 60_000;
const timeoutMs = 120_000;

/**
 * Creates a target that sends files to a service through its REST API. Waits and repeats requests while the service is
 * busy.
 */
export function createRestTarget({ url, key, projectId }: RestOptions): SyncTarget {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('The key must be one line of letters, digits and signs, without spaces');
  }
  const send = async (path: string, init: RequestInit = {}): Promise<RestAnswer> => {
    const address = new URL(`${trimTrailingSlashes(url)}/api/v1/knowledge/${path}`);
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    for (let tries = 1; ; tries += 1) {
      const answer = await fetchOnce(address, { ...init, headers });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const isTemporary = [0, 429, 502, 503, 504].includes(answer.status);
      if (!isTemporary || tries === maxTries) throw toError(answer);
      await sleep(Math.min(maxWaitMs, answer.retryAfterMs ?? 500 * 2 ** tries));
    }
  };
  const inProject = (query: Readonly<Record<string, string>> = {}) =>
    new URLSearchParams({ ...query, ...(projectId !== null && { projectId }) }).toString();

  const jsonRequest = (method: string, body: object): RequestInit => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...(projectId !== null && { projectId }) }),
  });

  return {
    async list(prefix) {
      const documents = new Map<string, TargetDocument>();
      for (let page = 1, hasMore = true; hasMore; page += 1) {
        const { body } = await send(`documents?${inProject({ page: `${page}`, limit: '100' })}`);
        const { data, hasMore: isFollowed } = body as unknown as DocumentList;
        for (const { error, ...document } of data) {
          if (document.externalId?.startsWith(prefix) !== true) continue;
          documents.set(document.id, { ...document, failure: error?.message ?? null });
        }
        hasMore = isFollowed;
      }
      return [...documents.values()];
    },
    async put({ externalId, name, body, sourceUrl, metadata }) {
      const form = new FormData();
      form.set('externalId', externalId);
      if (sourceUrl !== null) form.set('sourceUrl', sourceUrl);
      if (metadata !== null) form.set('metadata', JSON.stringify(metadata));
      form.set('file', new Blob([new Uint8Array(body)]), name);
      await send(`documents/upload?${inProject()}`, { method: 'POST', body: form });
    },
    async readMetadata(id) {
      const { body } = await send(`documents/${id}?${inProject()}`);
      return asMetadata(body.metadata);
    },
    async setMetadata(id, metadata) {
      await send(`documents/${id}`, jsonRequest('PATCH', { metadata }));
    },
    async remove(documentIds) {
      await send('documents/delete', jsonRequest('POST', { documentIds }));
    },
  };
}

interface DocumentList {
  readonly data: (Omit<TargetDocument, 'failure'> & {
    readonly error: { readonly message: string } | null;
  })[];
  readonly hasMore: boolean;
}

interface RestAnswer {
  /** HTTP status. 0 if there is no response. */
  readonly status: number;
  readonly retryAfterMs: number | null;
  readonly body: Readonly<Record<string, unknown>>;
}

async function fetchOnce(url: URL, init: RequestInit): Promise<RestAnswer> {
  try {
    // Do not follow redirects: a redirect could send the key to another host.
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const text = await response.text();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      retryAfterMs: Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : null,
      body: parseObject(text),
    };
  } catch (error) {
    const message = `${url.origin} cannot be reached: ${failureOf(error)}`;
    return { status: 0, retryAfterMs: null, body: { message, code: 'UNAVAILABLE' } };
  }
}

/** Returns why there is no response. Leaves out messages about the request itself, because they can contain the key. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1_000} seconds`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? cause.message : 'the request failed';
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function toError({ status, body: { code, message } }: RestAnswer): Error {
  const known = errorCodes.find((candidate) => candidate === code);
  if (known !== undefined) return new DomainError(known, [message ?? known].flat().map(String));
  return new Error(`The service answered ${status}. Is --url the address of Grounded Chat?`);
}
