import { matchesWildcards } from '../../../text/match-wildcards.ts';
import type { WebsiteConfig } from './website-config.ts';

const maxUrlLength = 2_048;

/** Returns the address without fragment and credentials, or null if it is no http or https address. */
export function normalizeUrl(href: string, base?: string): string | null {
  const url = URL.parse(href, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href.length <= maxUrlLength ? url.href : null;
}

/** Returns a function that tells whether an address belongs to the website: its host, and the patterns. */
export function createScope(config: WebsiteConfig): (url: string) => boolean {
  const hosts = new Set(config.startUrls.map((url) => new URL(url).host));
  const matchesAny = (patterns: readonly string[], url: string) =>
    patterns.some((pattern) => matchesPattern(pattern, url));
  return (url) => {
    if (!hosts.has(new URL(url).host)) return false;
    if (config.include.length > 0 && !matchesAny(config.include, url)) return false;
    return !matchesAny(config.exclude, url);
  };
}

/** A pattern that starts with `/` matches path and query, another one the whole address. */
function matchesPattern(pattern: string, url: string): boolean {
  const { pathname, search } = new URL(url);
  return matchesWildcards(pattern, pattern.startsWith('/') ? `${pathname}${search}` : url);
}
