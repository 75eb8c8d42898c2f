import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { inRequestSpan } from '../tracing/request-span.ts';
import { traceHeaders } from '../tracing/tracer.ts';
import { failureReason, notPublicReason } from './http-failure-reason.ts';
import { createSsrfSafeAgents, isAllowedHostLiteral } from './ssrf-safe-agents.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

export interface HttpWebhookSenderOptions {
  readonly allowsPrivateTargets: boolean;
  /** Maximum total time of DNS lookup, connection, request and response. Default: 15 s. */
  readonly timeoutMs?: number;
  /**
   * Function that resolves host names when private targets are not allowed. By default, it queries the system's name
   * servers.
   */
  readonly lookup?: LookupFunction;
}

/** Creates a sender that opens a new HTTP connection for each message. */
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
        const cancellation = AbortSignal.any([signal, timeout]);
        const response = await inRequestSpan({ ...message, method: 'POST' }, () =>
          sendRequest(withTrace(message), agents, cancellation),
        );
        const head = { status: response.statusCode ?? 0, latencyMs: latencyMs() };
        const retryAfter = response.headers['retry-after'] ?? null;
        return { type: 'response', ...head, retryAfter, excerpt: await readExcerpt(response) };
      } catch (error) {
        signal.throwIfAborted();
        const timeoutReason = `No answer within ${timeoutMs / 1_000} seconds`;
        const reason = timeout.aborted ? timeoutReason : failureReason(error);
        const shown = reason === notPublicReason ? privateTargetReason : reason;
        return { type: 'failure', reason: shown, latencyMs: latencyMs() };
      }
    },
  };
}

/**
 * Returns the reason why the URL is not allowed, or null if it is allowed. Checks only the URL itself. The HTTP agents
 * check the resolved addresses.
 */
function findRefusal({ protocol, hostname }: URL): string | null {
  if (protocol !== 'https:') return 'The target is not https';
  return isAllowedHostLiteral(hostname) ? null : privateTargetReason;
}

const privateTargetReason = `${notPublicReason}. For development, set ALLOW_PRIVATE_WEBHOOKS=true`;

/** Adds the current trace, without `tracestate`, which may contain data of other systems. */
function withTrace(message: WebhookMessage): WebhookMessage {
  const { traceparent } = traceHeaders();
  return traceparent === undefined
    ? message
    : { ...message, headers: { ...message.headers, traceparent } };
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
    // Without this, the promise would never settle if the server switches protocols (status 101) without a request for
    // it: Node emits no 'error' then.
    request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

const excerptBytes = 4_096;

/** Returns the first 4,096 bytes of the body as text. Does not read the rest. */
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
    // If the body is aborted or too slow, the excerpt is just shorter, because the result depends only on the status.
  }
  const excerpt = Buffer.concat(chunks).subarray(0, excerptBytes);
  return new TextDecoder().decode(excerpt, { stream: true }).replaceAll('\0', '');
}
