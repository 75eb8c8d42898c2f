import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { failureReason, notPublicReason } from './http-failure-reason.ts';
import { createSsrfSafeAgents, isAllowedHostLiteral } from './ssrf-safe-agents.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

export interface HttpWebhookSenderOptions {
  readonly allowsPrivateTargets: boolean;
  /** Total timeout for DNS lookup, connection, request and response. 15 s by default. */
  readonly timeoutMs?: number;
  /** Resolves host names when private targets are not allowed. By default, queries the system's name servers. */
  readonly lookup?: LookupFunction;
}

/** Creates a sender that opens a new HTTP connection per message. */
export function createHttpWebhookSender({
  allowsPrivateTargets,
  timeoutMs = 15_000,
  lookup,
}: HttpWebhookSenderOptions): WebhookSender {
  const agents = allowsPrivateTargets
    ? { http: new HttpAgent(), https: new HttpsAgent() }
    : createSsrfSafeAgents(lookup);

  return {
    allowsPrivateTargets,
    async send(message, signal) {
      const refusal = allowsPrivateTargets ? null : findRefusal(new URL(message.url));
      if (refusal !== null) return { type: 'failure', reason: refusal, latencyMs: 0 };
      const startedAt = performance.now();
      const latencyMs = () => Math.round(performance.now() - startedAt);
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const response = await sendRequest(message, agents, AbortSignal.any([signal, timeout]));
        const head = { status: response.statusCode ?? 0, latencyMs: latencyMs() };
        const retryAfter = response.headers['retry-after'] ?? null;
        return { type: 'response', ...head, retryAfter, excerpt: await readExcerpt(response) };
      } catch (error) {
        signal.throwIfAborted();
        const timeoutReason = `No answer within ${timeoutMs / 1_000} seconds`;
        const reason = timeout.aborted ? timeoutReason : failureReason(error);
        return { type: 'failure', reason, latencyMs: latencyMs() };
      }
    },
  };
}

/**
 * Returns why the URL is not allowed, or null if it is. Checks only the URL; the HTTP agents check resolved addresses.
 */
function findRefusal({ protocol, hostname }: URL): string | null {
  if (protocol !== 'https:') return 'The target is not https';
  return isAllowedHostLiteral(hostname) ? null : notPublicReason;
}

function sendRequest(
  { url, headers, body }: WebhookMessage,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isEncrypted = new URL(url).protocol === 'https:';
    const options = { method: 'POST', headers, signal };
    const request = isEncrypted
      ? httpsRequest(url, { ...options, agent: agents.https })
      : httpRequest(url, { ...options, agent: agents.http });
    request.on('response', resolve);
    request.on('error', reject);
    // Node emits no 'error' if the server switches protocols (status 101) although the request did not ask for it.
    request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

const excerptBytes = 4_096;

/** Returns the first 4,096 bytes of the body as text. Does not read further. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= excerptBytes) break;
    }
  } catch {
    // The status alone decides the result, so if the body is aborted or too slow, the excerpt is shorter.
  }
  const excerpt = Buffer.concat(chunks).subarray(0, excerptBytes);
  return new TextDecoder().decode(excerpt, { stream: true }).replaceAll('\0', '');
}
