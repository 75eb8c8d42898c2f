import type pg from 'pg';
import type { Logger } from 'pino';
import { sleep } from '../wait.ts';
import { choosePrimary, isCurrent, type Primary } from './choose-primary.ts';
import { hostUrls, requiresPrimary } from './database-url.ts';
import { type HostAnswer, probeHost } from './probe-host.ts';

/** The host that accepts writes, of a database with several hosts. All clients of a URL share one. */
export interface PrimaryHost {
  /** Returns the primary. @throws NoPrimaryError */
  find(): Promise<Primary>;
  /** The next call of `find` asks the hosts again. Call this if the connection to `primary` failed. */
  forget(primary: Primary): void;
  /** Closes the connection when a host of a later timeline is found. Checks this regularly until then. */
  track(client: pg.Client, primary: Primary): void;
  /** Logs changes of the primary until the returned function is called. */
  follow(log: Logger): () => void;
}

/** How long the last answer is used. Longer than many clients need to connect at once. */
const cacheMs = 1_000;
/** Time between two checks while connections are open. */
const checkMs = 5_000;
/** How long the other hosts may take to answer after the first possible primary. One may be on a later timeline. */
const graceMs = 200;

const primaryHosts = new Map<string, PrimaryHost>();

/** Returns the primary host of the URL. Null if the URL leads to one host, whatever that host is. */
export function primaryHostOf(url: string): PrimaryHost | null {
  if (!requiresPrimary(url)) return null;
  const primaryHost = primaryHosts.get(url) ?? createPrimaryHost(hostUrls(url));
  primaryHosts.set(url, primaryHost);
  return primaryHost;
}

function createPrimaryHost(urls: readonly string[]): PrimaryHost {
  const clients = new Map<pg.Client, Primary>();
  const logs = new Set<Logger>();
  let search: Promise<Primary> | null = null;
  let found: { readonly primary: Primary; readonly at: number } | null = null;
  let timeline = 0;
  let last: { readonly name: string; readonly conflict: string | null } | null = null;

  const logLast = (log: Logger) => {
    if (last?.conflict) log.warn(last.conflict);
    else if (last) log.info(`primary of the database: ${last.name}`);
  };
  const searchHosts = async () => {
    const { primary, conflict } = choosePrimary(await probeHosts(urls, timeline), timeline);
    found = { primary, at: performance.now() };
    timeline = Math.max(timeline, primary.timeline);
    if (last?.name !== primary.name || last.conflict !== conflict) {
      last = { name: primary.name, conflict };
      logs.forEach(logLast);
    }
    for (const [client, connected] of clients) {
      if (isCurrent(connected, timeline)) continue;
      const message = `Connection terminated: ${primary.name} is the primary now`;
      client.connection.stream.destroy(new Error(message));
    }
    return primary;
  };

  const find = async () => {
    if (found !== null && performance.now() - found.at < cacheMs) return found.primary;
    search ??= searchHosts().finally(() => {
      search = null;
    });
    return search;
  };
  let checks: NodeJS.Timeout | undefined;

  return {
    find,
    forget(primary) {
      if (found?.primary === primary) found = null;
    },
    track(client, primary) {
      clients.set(client, primary);
      // Statements on a dead host get no answer. Without this check, they would occupy the pool until their timeout.
      checks ??= setInterval(() => void find().catch(() => {}), checkMs).unref();
      client.once('end', () => {
        clients.delete(client);
        if (clients.size > 0) return;
        clearInterval(checks);
        checks = undefined;
      });
    },
    follow(log) {
      logs.add(log);
      logLast(log);
      return () => logs.delete(log);
    },
  };
}

/**
 * Asks all hosts at the same time. Returns when all have answered, or shortly after the first one that can be the
 * primary, so that a dead host does not delay the others.
 */
async function probeHosts(urls: readonly string[], knownTimeline: number): Promise<HostAnswer[]> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const answers: (HostAnswer | undefined)[] = urls.map(() => undefined);
  const hasPrimary = Promise.withResolvers<void>();
  const probes = urls.map(async (url, index) => {
    const answer = await probeHost(url, signal);
    answers[index] = answer;
    if (isCurrent(answer, knownTimeline)) hasPrimary.resolve();
  });
  const enough = hasPrimary.promise.then(() => sleep(graceMs, signal));
  await Promise.race([Promise.all(probes), enough]);
  stopping.abort();
  return answers.filter((answer) => answer !== undefined);
}
