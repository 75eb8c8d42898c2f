import { setTimeout as sleep } from 'node:timers/promises';
import { userAgent } from '../../../platform/version.ts';
import { retryAfterMs } from '../../../platform/web/retry-after.ts';
import type { WebResult } from '../../../platform/web/web-client.ts';
import type { Context } from '../../context.ts';

/** Maximum number of requests for one address, including the first request. */
const maxAttempts = 3;
/**
 * Maximum time that a server may ask the run to wait: `maxWaitMs` for one address, `maxTotalWaitMs` for the whole run.
 */
const maxWaitMs = 120_000;
const maxTotalWaitMs = 900_000;

/** The documentation names the robot, so that owners of websites can recognize and refuse it. */
const robotUserAgent = `${userAgent} GroundedChatBot/1.0`;

interface GetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly delaySeconds?: number | undefined;
}

export type PacedGet = (url: string, options: GetOptions) => Promise<WebResult>;

/**
 * Returns a function that requests addresses at this rate, and waits if a busy server asks for it. Requests to a host
 * are spaced separately for each `tenant`, which is an organization.
 */
export function createPacedGet(
  { webClient, hostPace, signal }: Context,
  requestsPerSecond: number,
  tenant: string,
): PacedGet {
  let waitLeftMs = maxTotalWaitMs;
  return async (url, { headers, maxBytes, delaySeconds }) => {
    const intervalMs = Math.max(1_000 / requestsPerSecond, (delaySeconds ?? 0) * 1_000);
    for (let attempt = 1; ; attempt += 1) {
      await hostPace.wait({ tenant, host: new URL(url).host }, intervalMs, signal);
      const sent = { 'user-agent': robotUserAgent, ...headers };
      const result = await webClient.send({ url, headers: sent, maxBytes }, signal);
      const waitMs = throttleMs(result);
      if (waitMs === null || attempt >= maxAttempts || waitMs > waitLeftMs) return result;
      waitLeftMs -= waitMs;
      await sleep(waitMs, undefined, { signal });
    }
  };
}

/** Returns for how long a busy server asks to wait. Returns null if it does not ask, or if the time is too long. */
function throttleMs(result: WebResult): number | null {
  if (result.type === 'failure' || (result.status !== 429 && result.status !== 503)) return null;
  const waitMs = retryAfterMs(result.headers['retry-after']);
  return waitMs !== null && waitMs <= maxWaitMs ? waitMs : null;
}
