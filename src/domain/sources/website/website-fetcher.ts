import type { WebResult } from '../../../platform/web/web-client.ts';
import type { Context } from '../../context.ts';
import { allowsAll, parseRobots, type Robots, robotsBytes } from './robots.ts';
import { readSitemap, sitemapBytes } from './sitemap.ts';
import type { WebsiteConfig } from './website-config.ts';
import { normalizeUrl } from './website-urls.ts';

/** Reads a website at the pace that its configuration and its robots.txt ask for. */
export interface WebsiteFetcher {
  /** Whether robots.txt allows the address. Null if robots.txt cannot be read now. */
  isAllowed(url: string): Promise<boolean | null>;
  get(url: string, headers: Readonly<Record<string, string>>): Promise<WebResult>;
  /** Returns the addresses of the configured sitemaps and those of robots.txt, at most `limit`. */
  listSitemapUrls(limit: number): Promise<string[]>;
}

const pageBytes = 20 * 1024 * 1024;
const maxSitemaps = 50;
const maxRobotsRedirects = 5;

export function createWebsiteFetcher(context: Context, config: WebsiteConfig): WebsiteFetcher {
  const { webClient, hostPace, signal } = context;
  const robotsByOrigin = new Map<string, Promise<Robots | null>>();

  const get = async (
    url: string,
    { headers, maxBytes, delaySeconds }: GetOptions,
  ): Promise<WebResult> => {
    const intervalMs = Math.max(1_000 / config.requestsPerSecond, (delaySeconds ?? 0) * 1_000);
    await hostPace.wait(new URL(url).host, intervalMs, signal);
    return webClient.send({ url, headers, maxBytes }, signal);
  };

  const robotsOf = (url: string): Promise<Robots | null> => {
    if (!config.respectRobots) return Promise.resolve(allowsAll);
    const { origin } = new URL(url);
    const known = robotsByOrigin.get(origin) ?? readRobots(origin);
    robotsByOrigin.set(origin, known);
    return known;
  };

  /** RFC 9309: a missing robots.txt allows everything, one that cannot be read forbids everything. */
  const readRobots = async (origin: string): Promise<Robots | null> => {
    let url: string | null = `${origin}/robots.txt`;
    for (let hops = 0; url !== null && hops <= maxRobotsRedirects; hops += 1) {
      const result: WebResult = await get(url, { maxBytes: robotsBytes });
      if (result.type === 'failure' || result.status >= 500 || result.status === 429) return null;
      if (result.status === 200) return parseRobots(result.body.toString('utf8'));
      const { location } = result.headers;
      url = result.status < 400 && location !== undefined ? normalizeUrl(location, url) : null;
    }
    return allowsAll;
  };

  return {
    async isAllowed(url) {
      const robots = await robotsOf(url);
      return robots === null ? null : robots.isAllowed(url);
    },
    async get(url, headers) {
      const delaySeconds = (await robotsOf(url))?.crawlDelaySeconds ?? undefined;
      return get(url, { headers, maxBytes: pageBytes, delaySeconds });
    },
    async listSitemapUrls(limit) {
      const [start = ''] = config.startUrls;
      const robots = await robotsOf(start);
      const hosts = new Set(config.startUrls.map((url) => new URL(url).host));
      const isOwn = (url: string) => hosts.has(new URL(url).host);
      const waiting = [
        ...config.sitemaps,
        ...(robots?.sitemaps ?? []).flatMap((url) => normalizeUrl(url, start) ?? []).filter(isOwn),
      ];
      const seen = new Set<string>();
      const urls = new Set<string>();
      for (const sitemap of waiting) {
        if (seen.has(sitemap) || seen.size >= maxSitemaps || urls.size >= limit) continue;
        seen.add(sitemap);
        const result = await get(sitemap, { maxBytes: sitemapBytes });
        if (result.type === 'failure' || result.status !== 200) continue;
        const found = await readSitemap(result.body).catch(() => null);
        for (const href of found?.urls ?? []) {
          const url = normalizeUrl(href, sitemap);
          if (url === null || urls.size >= limit) continue;
          if (found?.isIndex !== true) urls.add(url);
          else if (isOwn(url)) waiting.push(url);
        }
      }
      return [...urls];
    },
  };
}

interface GetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly delaySeconds?: number | undefined;
}
