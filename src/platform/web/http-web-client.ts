import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
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
        const response = await sendRequest(request, agents, cancellation);
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
    for await (const part of decompressed(response)) {
      sizeBytes += part.length;
      if (sizeBytes > maxBytes) throw new BodyTooLarge(maxBytes);
      parts.push(part);
    }
  } finally {
    response.destroy();
  }
  return { type: 'response', status, headers, body: Buffer.concat(parts) };
}

function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const create = decompressors[encoding];
  if (create === undefined) return response;
  const output = create();
  response.on('error', (error) => output.destroy(error));
  return response.pipe(output);
}

const decompressors: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes`);
  }
}
