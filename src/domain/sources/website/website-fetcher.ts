import type { WebResult } from '../../../platform/web/web-client.ts';
import type { Context } from '../../context.ts';
import { createPacedGet, type PacedGet } from './paced-get.ts';
import { allowsAll, parseRobots, type Robots, robotsBytes } from './robots.ts';
import { listSitemapUrls, type SitemapListing } from './sitemap-urls.ts';
import type { WebsiteConfig } from './website-config.ts';
import { normalizeUrl, startHostsOf } from './website-urls.ts';

/** Reads a website, not faster than its configuration and its robots.txt allow. */
export interface WebsiteFetcher {
  /** Returns why the address must not be read, or null if it may be read. */
  findRefusal(url: string): Promise<RobotsRefusal | null>;
  get(url: string, headers: Readonly<Record<string, string>>): Promise<WebResult>;
  /** Returns the addresses in the configured sitemaps and in the sitemaps of robots.txt, at most `limit`. */
  listSitemapUrls(limit: number): Promise<SitemapListing>;
}

interface RobotsRefusal {
  readonly reason: string;
  /** True if robots.txt cannot be read now, but perhaps later. */
  readonly isTemporary: boolean;
}

const pageBytes = 20 * 1024 * 1024;
const maxRobotsRedirects = 5;

export function createWebsiteFetcher(
  context: Context,
  config: WebsiteConfig,
  tenant: string,
): WebsiteFetcher {
  const robotsByOrigin = new Map<string, Promise<RobotsRead>>();
  const get = createPacedGet(context, config.requestsPerSecond, tenant);

  const robotsOf = (url: string): Promise<RobotsRead> => {
    if (!config.respectRobots) return Promise.resolve({ robots: allowsAll });
    const { origin } = new URL(url);
    const known = robotsByOrigin.get(origin) ?? readRobots(get, origin);
    robotsByOrigin.set(origin, known);
    return known;
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
      const named = (robots?.sitemaps ?? [])
        .flatMap((url) => normalizeUrl(url, start) ?? [])
        .filter((url) => hosts.has(new URL(url).host));
      const sitemaps = [...config.sitemaps, ...named];
      const listing = await listSitemapUrls(context, tenant, get, sitemaps, hosts, limit);
      return robots === null ? { ...listing, problem: reason } : listing;
    },
  };
}

type RobotsRead =
  | { readonly robots: Robots; readonly reason?: undefined }
  | { readonly robots: null; readonly reason: string };

/** RFC 9309: if robots.txt does not exist, everything is allowed. If it cannot be read, everything is forbidden. */
async function readRobots(get: PacedGet, origin: string): Promise<RobotsRead> {
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
}

function unreadable(reason: string): RobotsRead {
  return { robots: null, reason: `robots.txt cannot be read: ${reason}` };
}
