import { isJsonObject } from '../is-json-object.ts';
import { sleep } from '../wait.ts';
import type { WebClient, WebRequest, WebResult } from '../web/web-client.ts';

/** Reads Notion's public REST API. */
export interface NotionClient {
  /** @throws NotionError when the API does not return an object after all tries */
  get(path: string): Promise<NotionObject>;
  /** @throws NotionError when the API does not return an object after all tries */
  post(path: string, body: object): Promise<NotionObject>;
}

export type NotionObject = Readonly<Record<string, unknown>>;

/** Thrown when Notion cannot be read. The message contains the reason, for the report of a run. */
export class NotionError extends Error {
  /** HTTP status of the response if it is an error status. Null otherwise. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }

  /** Whether the object does not exist, or is not shared with the integration. */
  get isMissing(): boolean {
    return this.status === 404;
  }
}

/**
 * Version of the Notion API. It decides the form of the returned objects:
 * https://developers.notion.com/reference/changes-by-version
 */
const notionVersion = '2026-03-11';

const maxTries = 6;
const firstDelayMs = 500;
const maxDelayMs = 300_000;
const maxBytes = 10_000_000;
const timeoutMs = 60_000;

/**
 * Creates a client. `url` is the address of the API without a path. The client repeats a request that may succeed
 * later, and waits as long as `Retry-After` requests.
 */
export function createNotionClient(
  web: WebClient,
  { url, token }: { readonly url: string; readonly token: string },
  signal: AbortSignal,
): NotionClient {
  const send = async (request: Pick<WebRequest, 'method' | 'body'> & { path: string }) => {
    const { path, ...rest } = request;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'notion-version': notionVersion,
      ...(rest.body !== undefined && { 'content-type': 'application/json' }),
    };
    for (let tries = 1; ; tries += 1) {
      const options = { ...rest, url: `${url}/v1/${path}`, headers, maxBytes, timeoutMs };
      const result = await web.send(options, signal);
      const delayMs = tries < maxTries ? retryDelayMs(result, tries) : null;
      if (delayMs === null) return readObject(result);
      await sleep(delayMs, signal);
      signal.throwIfAborted();
    }
  };
  return {
    get: (path) => send({ path }),
    post: (path, body) => send({ path, method: 'POST', body: Buffer.from(JSON.stringify(body)) }),
  };
}

/** Returns the milliseconds to wait before the request is repeated. Returns null if a repetition would not help. */
function retryDelayMs(result: WebResult, tries: number): number | null {
  const delayMs = firstDelayMs * 2 ** (tries - 1);
  if (result.type === 'failure') {
    return result.isTooLarge === true || result.isPrivate === true ? null : delayMs;
  }
  if (result.status !== 429 && result.status < 500) return null;
  const seconds = Number.parseInt(result.headers['retry-after'] ?? '', 10);
  return Math.min(maxDelayMs, Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : delayMs);
}

/** @throws NotionError when the response is not a JSON object */
function readObject(result: WebResult): NotionObject {
  if (result.type === 'failure') throw new NotionError(result.reason);
  const { status, body } = result;
  if (status !== 200) throw new NotionError(statusReason(status), status);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // `value` stays undefined, which is refused below.
  }
  if (!isJsonObject(value)) throw new NotionError('Notion has not sent a JSON object');
  return value;
}

function statusReason(status: number): string {
  if (status === 401) return 'Notion refuses access: check the token';
  if (status === 403)
    return 'Notion refuses access: the integration needs the right to read content';
  if (status === 404) return 'The page does not exist, or is not shared with the integration';
  if (status === 429) return 'Notion limits the requests. The next run tries again';
  return `Notion answered ${status}`;
}
