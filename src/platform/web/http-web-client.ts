import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { inRequestSpan } from '../tracing/request-span.ts';
import { userAgent } from '../version.ts';
import { failureReason, notPublicReason } from '../webhooks/http-failure-reason.ts';
import { createSsrfSafeAgents, isAllowedHostLiteral } from '../webhooks/ssrf-safe-agents.ts';

import type { WebClient, WebRequest, WebResponse } from './web-client.ts';

const defaultTimeoutMs = 30_000;
const privateTarget = {
  type: 'failure',
  reason: `${notPublicReason}. For development, set ALLOW_PRIVATE_SOURCES=true`,
  isPrivate: true,
} as const;

/** Creates a client that opens a new connection per request. */
export function createWebClient(options: { readonly allowsPrivateTargets: boolean }): WebClient {
  const agents = options.allowsPrivateTargets
    ? { http: new HttpAgent(), https: new HttpsAgent() }
    : createSsrfSafeAgents();
  return {
    async send(request, signal) {
      const { hostname } = new URL(request.url);
      if (!options.allowsPrivateTargets && !isAllowedHostLiteral(hostname)) {
        return privateTarget;
      }
      const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
      const timeout = AbortSignal.timeout(timeoutMs);
      const cancellation = AbortSignal.any([signal, timeout]);
      try {
        const response = await inRequestSpan(request, () =>
          sendRequest(request, agents, cancellation),
        );
        return await readResponse(response, request.maxBytes);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof BodyTooLarge) {
          return { type: 'failure', reason: error.message, isTooLarge: true };
        }
        const late = `No answer within ${timeoutMs / 1_000} seconds`;
        const reason = timeout.aborted ? late : failureReason(error);
        return reason === notPublicReason ? privateTarget : { type: 'failure', reason };
      }
    },
  };
}

function sendRequest(
  { url, method = 'GET', headers = {}, body }: WebRequest,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      signal,
      method,
      headers: {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml,*/*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        ...headers,
      },
    };
    const request =
      new URL(url).protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: agents.https })
        : httpRequest(url, { ...options, agent: agents.http });
    request.on('response', resolve);
    request.on('error', reject);
    // Without this, the promise would never settle if the server switches protocols (status 101) without a request for
    // it: Node emits no 'error' then.
    request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<WebResponse> {
  const status = response.statusCode ?? 0;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
  if (headers.location !== undefined) headers.location = decodeHeader(headers.location);
  // Keeps the lines separate, because a directive applies to the robot that its line names.
  const robotsTags = response.headersDistinct['x-robots-tag'];
  if (robotsTags !== undefined) headers['x-robots-tag'] = robotsTags.join('\n');
  if (status !== 200) {
    response.destroy();
    return { type: 'response', status, headers, body: Buffer.alloc(0) };
  }
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const part of await decompressed(response)) {
      sizeBytes += part.length;
      if (sizeBytes > maxBytes) throw new BodyTooLarge(maxBytes);
      parts.push(part);
    }
  } finally {
    response.destroy();
  }
  return { type: 'response', status, headers, body: Buffer.concat(parts) };
}

/**
 * Returns the value of a header in which a server has written bytes above 127. Node decodes headers as Latin-1, but
 * browsers read a raw UTF-8 address as UTF-8. Bytes that are not UTF-8 stay Latin-1.
 */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

async function decompressed(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const createForByte = decompressors[encoding];
  if (createForByte === undefined) return response;
  const firstByte = await firstByteOf(response);
  if (firstByte === null) return response;
  const output = createForByte(firstByte);
  response.on('error', (error) => output.destroy(error));
  return response.pipe(output);
}

/** Create the decompressor of a body that starts with this byte. */
const decompressors: Readonly<Record<string, (first: number) => ReturnType<typeof createGunzip>>> =
  {
    gzip: () => createGunzip(),
    'x-gzip': () => createGunzip(),
    // Some servers send raw deflate data without the zlib header of RFC 9110, and browsers read both. The low four bits
    // of a zlib header are 8. In raw data, that would be a stored block with padding that no encoder writes.
    deflate: (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
    br: () => createBrotliDecompress(),
  };

/** Returns the first byte of the body and leaves it in the stream. Returns null if the body is empty. */
async function firstByteOf(response: IncomingMessage): Promise<number | null> {
  for (;;) {
    const part: unknown = response.read();
    if (Buffer.isBuffer(part) && part.length > 0) {
      response.unshift(part);
      return part[0] ?? null;
    }
    if (response.readableEnded || response.destroyed) return null;
    await Promise.race([
      once(response, 'readable'),
      once(response, 'end'),
      once(response, 'close'),
    ]);
  }
}

class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes`);
  }
}
