import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isNotPublic, isPublicLiteral, publicAgents } from './public-agents.ts';
import type { WebhookMessage, WebhookSender } from './webhook-sender.ts';

export interface HttpWebhookSenderOptions {
  readonly allowsPrivateTargets: boolean;
  /** For everything: name, connection, message and answer. 15 s when left out. */
  readonly timeoutMs?: number;
  /** Resolves the names of public targets. By asking the name servers when left out. */
  readonly lookup?: LookupFunction;
}

/** Sends over HTTP, each message on a connection of its own. */
export function httpWebhookSender({
  allowsPrivateTargets,
  timeoutMs = 15_000,
  lookup,
}: HttpWebhookSenderOptions): WebhookSender {
  const agents = allowsPrivateTargets
    ? { http: new HttpAgent(), https: new HttpsAgent() }
    : publicAgents(lookup);

  return {
    allowsPrivateTargets,
    async send(message, signal) {
      const refusal = allowsPrivateTargets ? null : refusalOf(new URL(message.url));
      if (refusal !== null) return { type: 'failure', reason: refusal, latencyMs: 0 };
      const startedAt = performance.now();
      const latencyMs = () => Math.round(performance.now() - startedAt);
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const response = await post(message, agents, AbortSignal.any([signal, timeout]));
        const head = { status: response.statusCode ?? 0, latencyMs: latencyMs() };
        const retryAfter = response.headers['retry-after'] ?? null;
        return { type: 'response', ...head, retryAfter, excerpt: await readExcerpt(response) };
      } catch (error) {
        signal.throwIfAborted();
        const late = `No answer within ${timeoutMs / 1_000} seconds`;
        const reason = timeout.aborted ? late : reasonOf(error);
        return { type: 'failure', reason, latencyMs: latencyMs() };
      }
    },
  };
}

/** What can be said against a target before its name is resolved. */
function refusalOf({ protocol, hostname }: URL): string | null {
  if (protocol !== 'https:') return 'The target is not https';
  return isPublicLiteral(hostname) ? null : notPublic;
}

const notPublic = 'The target is not a public address';

function post(
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
    // Node calls it no error when a server changes to a protocol that nobody asked for.
    request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

const excerptBytes = 4_096;

/** Reads no more than is kept. */
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
    // The status has decided already: a body that breaks off, or comes too slowly, is cut there.
  }
  const excerpt = Buffer.concat(chunks).subarray(0, excerptBytes);
  return new TextDecoder().decode(excerpt, { stream: true }).replaceAll('\0', '');
}

/** Codes of errors say enough to correct a target. Their messages may name addresses behind it. */
function reasonOf(error: unknown): string {
  if (isNotPublic(error)) return notPublic;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  return reasons[code] ?? `The connection failed: ${code}`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the host cannot be resolved',
  ENODATA: 'The name of the host cannot be resolved',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed without an answer',
};
