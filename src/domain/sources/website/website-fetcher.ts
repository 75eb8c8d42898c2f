import { setTimeout as sleep } from 'node:timers/promises';
import type { Sitemap } from '../../../extract/html/sitemap.ts';
import { userAgent } from '../../../platform/version.ts';
import { retryAfterMs } from '../../../platform/web/retry-after.ts';
import type { WebResult } from '../../../platform/web/web-client.ts';
import { createWorkTurns } from '../../../platform/work-turns.ts';
import type { Context } from '../../context.ts';
import { allowsAll, parseRobots, type Robots, robotsBytes } from './robots.ts';
import type { WebsiteConfig } from './website-config.ts';
import { readSitemap } from './website-documents.ts';
import { normalizeUrl, startHostsOf } from './website-urls.ts';

/** Reads a website, not faster than its configuration and its robots.txt allow. */
export interface WebsiteFetcher {
  /** Returns why the address must not be read, or null if it may be read. */
  findRefusal(url: string): Promise<RobotsRefusal | null>;
  get(url: string, headers: Readonly<Record<string, string>>): Promise<WebResult>;
  /** Returns the addresses in the configured sitemaps and in the sitemaps of robots.txt, at most `limit`. */
  listSitemapUrls(limit: number): Promise<SitemapListing>;
}

export interface SitemapListing {
  readonly urls: readonly string[];
  /** The first sitemap that was not read completely, and the reason. Null if all were read completely. */
  readonly problem: string | null;
}

const sitemapBytes = 10 * 1024 * 1024;
const pageBytes = 20 * 1024 * 1024;
const maxSitemaps = 50;
const maxRobotsRedirects = 5;
const maxSitemapRedirects = 5;
/** Maximum number of requests for one address, including the first request. */
const maxAttempts = 3;
/**
 * Maximum time that a server may ask the run to wait: `maxWaitMs` for one address, `maxTotalWaitMs` for the whole run.
 */
const maxWaitMs = 120_000;
const maxTotalWaitMs = 900_000;

/** The documentation names the robot, so that owners of websites can recognize and refuse it. */
const robotUserAgent = `${userAgent} GroundedChatBot/1.0`;

/** Requests to a host are spaced separately for each `tenant`, which is an organization. */
export function createWebsiteFetcher(
  context: Context,
  config: WebsiteConfig,
  tenant: string,
): WebsiteFetcher {
  const { webClient, hostPace, signal } = context;
  let waitLeftMs = maxTotalWaitMs;
  const robotsByOrigin = new Map<string, Promise<RobotsRead>>();

  const get = async (
    url: string,
    { headers, maxBytes, delaySeconds }: GetOptions,
  ): Promise<WebResult> => {
    const intervalMs = Math.max(1_000 / config.requestsPerSecond, (delaySeconds ?? 0) * 1_000);
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

  const robotsOf = (url: string): Promise<RobotsRead> => {
    if (!config.respectRobots) return Promise.resolve({ robots: allowsAll });
    const { origin } = new URL(url);
    const known = robotsByOrigin.get(origin) ?? readRobots(origin);
    robotsByOrigin.set(origin, known);
    return known;
  };

  /** RFC 9309: if robots.txt does not exist, everything is allowed. If it cannot be read, everything is forbidden. */
  const readRobots = async (origin: string): Promise<RobotsRead> => {
    let url: string | null = `${origin}/robots.txt`;
    for (let hops = 0; url !== null && hops <= maxRobotsRedirects; hops += 1) {
      const result: WebResult = await get(url, { maxBytes: robotsBytes });
      if (result.type === 'failure') return unreadable(result.reason);
      const { status } = result;
      if (status >= 500 || status === 429) return unreadable(`The server answered ${status}`);
      if (status === 200) return { robots: parseRobots(result.body.toString('utf8')) };
      const { location } = result.headers;
      url = result.status < 400 && location !== undefined ? normalizeUrl(location, url) : null;
    }
    return { robots: allowsAll };
  };

  const fetchSitemap = async (address: string): Promise<FetchedSitemap> => {
    let url = address;
    for (let hops = 0; hops <= maxSitemapRedirects; hops += 1) {
      const result: WebResult = await get(url, { maxBytes: sitemapBytes });
      if (result.type === 'failure') return { type: 'refused', reason: result.reason };
      const { status, headers } = result;
      if (status === 200) {
        const read = await readSitemap(context, tenant, result.body);
        return read.type === 'sitemap' ? { ...read, url } : read;
      }
      const target =
        status >= 300 && status < 400 ? normalizeUrl(headers.location ?? '', url) : null;
      if (target === null) return { type: 'refused', reason: `The server answered ${status}` };
      url = target;
    }
    return { type: 'refused', reason: 'It redirects too often' };
  };

  return {
    async findRefusal(url) {
      const { robots, reason } = await robotsOf(url);
      if (robots === null) return { reason, isTemporary: true };
      const isAllowed = robots.isAllowed(url);
      return isAllowed ? null : { reason: 'robots.txt does not allow it', isTemporary: false };
    },
    async get(url, headers) {
      const delaySeconds = (await robotsOf(url)).robots?.crawlDelaySeconds ?? undefined;
      return get(url, { headers, maxBytes: pageBytes, delaySeconds });
    },
    async listSitemapUrls(limit) {
      const [start = ''] = config.startUrls;
      const { robots, reason } = await robotsOf(start);
      const hosts = startHostsOf(config);
      const isOwn = (url: string) => hosts.has(new URL(url).host);
      const waiting = [
        ...config.sitemaps,
        ...(robots?.sitemaps ?? []).flatMap((url) => normalizeUrl(url, start) ?? []).filter(isOwn),
      ];
      const seen = new Set<string>();
      const urls = new Set<string>();
      let problem = robots === null ? reason : null;
      for (const sitemap of waiting) {
        if (seen.has(sitemap) || urls.size >= limit) continue;
        if (seen.size >= maxSitemaps) {
          problem ??= `The website has more than ${maxSitemaps} sitemaps`;
          break;
        }
        seen.add(sitemap);
        const read = await fetchSitemap(sitemap);
        if (read.type === 'refused') {
          problem ??= `The sitemap ${sitemap} could not be read: ${read.reason}`;
          continue;
        }
        const turns = createWorkTurns(signal);
        for (const href of read.sitemap.urls) {
          if (turns.isOver()) await turns.next();
          const url = normalizeUrl(href, read.url);
          if (url === null || urls.size >= limit) continue;
          if (!read.sitemap.isIndex) urls.add(url);
          else if (isOwn(url)) waiting.push(url);
        }
      }
      return { urls: [...urls], problem };
    },
  };
}

export interface RobotsRefusal {
  readonly reason: string;
  /** True if robots.txt cannot be read now, but perhaps later. */
  readonly isTemporary: boolean;
}

type RobotsRead =
  | { readonly robots: Robots; readonly reason?: undefined }
  | { readonly robots: null; readonly reason: string };

function unreadable(reason: string): RobotsRead {
  return { robots: null, reason: `robots.txt cannot be read: ${reason}` };
}

interface GetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly delaySeconds?: number | undefined;
}

type FetchedSitemap =
  /** `url` is the final address, after redirects. */
  | { readonly type: 'sitemap'; readonly url: string; readonly sitemap: Sitemap }
  | { readonly type: 'refused'; readonly reason: string };

/** Returns for how long a busy server asks to wait. Returns null if it does not ask, or if the time is too long. */
function throttleMs(result: WebResult): number | null {
  if (result.type === 'failure' || (result.status !== 429 && result.status !== 503)) return null;
  const waitMs = retryAfterMs(result.headers['retry-after']);
  return waitMs !== null && waitMs <= maxWaitMs ? waitMs : null;
}
