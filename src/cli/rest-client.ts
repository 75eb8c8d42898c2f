import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, errorCodes } from '../platform/errors.ts';
import { isJsonObject } from '../platform/is-json-object.ts';
import { trimTrailingSlashes } from '../platform/trim-trailing-slashes.ts';
import { userAgent } from '../platform/version.ts';
import { UsageError } from './command.ts';

/** A service that is called by REST. */
export interface RestAccess {
  /** Address of the service, such as `https://chat.example.com`, with or without `/api/v1`. */
  readonly url: string;
  readonly key: string;
  /** Null: the project that the key is bound to. */
  readonly projectId: string | null;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A client of the REST API that sends the project with each request. Paths are below `/api/v1/`. */
export interface RestClient {
  get(path: string, query?: Readonly<Record<string, string>>): Promise<JsonObject>;
  /** Sends a JSON body. With an idempotency key, the service carries out the request once, even if it is repeated. */
  send(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: object,
    options?: { readonly idempotencyKey?: string },
  ): Promise<JsonObject>;
  upload(path: string, form: FormData): Promise<JsonObject>;
}

const maxTries = 6;
const maxWaitMs = 60_000;
const timeoutMs = 120_000;

/**
 * Creates a client that waits and repeats requests while the service is busy. Its methods throw the `DomainError` that
 * the service answers.
 */
export function createRestClient({ url, key, projectId }: RestAccess): RestClient {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('The key must be one line of letters, digits and signs, without spaces');
  }
  const project: Readonly<Record<string, string>> = projectId === null ? {} : { projectId };
  const root = trimTrailingSlashes(url).replace(/\/api\/v1$/, '');
  const request = async (path: string, init: RequestInit = {}): Promise<JsonObject> => {
    const address = new URL(`${root}/api/v1/${path}`);
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    for (let tries = 1; ; tries += 1) {
      const answer = await fetchOnce(address, { ...init, headers });
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      const isTemporary = [0, 429, 502, 503, 504].includes(answer.status);
      if (!isTemporary || tries === maxTries) throw toError(answer);
      await sleep(Math.min(maxWaitMs, answer.retryAfterMs ?? 500 * 2 ** tries));
    }
  };
  const inProject = (query: Readonly<Record<string, string>>) =>
    new URLSearchParams({ ...query, ...project }).toString();

  return {
    get: (path, query = {}) => request(`${path}?${inProject(query)}`),
    send: (method, path, body, { idempotencyKey } = {}) =>
      request(path, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify({ ...body, ...project }),
      }),
    upload: (path, body) => request(`${path}?${inProject({})}`, { method: 'POST', body }),
  };
}

interface RestAnswer {
  /** HTTP status. 0 if there is no response. */
  readonly status: number;
  readonly retryAfterMs: number | null;
  readonly body: JsonObject;
}

async function fetchOnce(url: URL, init: RequestInit): Promise<RestAnswer> {
  try {
    // Do not follow redirects: a redirect could send the key to another host.
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = new Headers(init.headers);
    headers.set('User-Agent', userAgent);
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal });
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
