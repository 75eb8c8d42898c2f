import { wildcardMatcher } from '../../../text/match-wildcards.ts';
import { createSelector } from '../selection.ts';
import type { WebsiteConfig } from './website-config.ts';

const maxUrlLength = 2_048;

/** Returns the address without its fragment and credentials. Returns null if it is not an http or https address. */
export function normalizeUrl(href: string, base?: string): string | null {
  const url = URL.parse(href, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href.length <= maxUrlLength ? url.href : null;
}

/** Returns the hosts of the start addresses. */
export function startHostsOf({ startUrls }: Pick<WebsiteConfig, 'startUrls'>): ReadonlySet<string> {
  return new Set(startUrls.map((url) => new URL(url).host));
}

/** Which addresses belong to a website, and which of them a run reads first. */
export interface SiteAddresses {
  readonly startUrls: ReadonlySet<string>;
  readonly startHosts: ReadonlySet<string>;
  isInScope(url: string): boolean;
}

/**
 * The host and the patterns decide whether an address belongs to the website. A pattern that starts with `/` is
 * compared with the path and query, any other pattern with the whole address.
 */
export function siteAddressesOf(config: WebsiteConfig): SiteAddresses {
  const startHosts = startHostsOf(config);
  const isSelected = createSelector(config, (pattern) => {
    const matches = wildcardMatcher(pattern);
    const isPath = pattern.startsWith('/');
    return ({ url, path }: { readonly url: string; readonly path: string }) =>
      matches(isPath ? path : url);
  });
  return {
    startUrls: new Set(config.startUrls.map((url) => normalizeUrl(url) ?? url)),
    startHosts,
    isInScope(url) {
      const { host, pathname, search } = new URL(url);
      return startHosts.has(host) && isSelected({ url, path: `${pathname}${search}` });
    },
  };
}
