import { addWarning, type RunReport } from '../run-report.ts';

/** Maximum number of hosts that a run names in its report, or that are stored with a page. */
export const maxHosts = 20;
const reason =
  'Pages of this host are linked or in the sitemap, but not read. Add an address of it to the start addresses to include it';

/** Returns a function that adds one warning to the report for each host that is not read. */
export function createHostWarnings(
  report: RunReport,
  startHosts: ReadonlySet<string>,
): (hosts: Iterable<string>) => void {
  const named = new Set(report.warnings.flatMap(({ url }) => /^\/\/(.+)\/$/.exec(url)?.[1] ?? []));
  return (hosts) => {
    for (const host of hosts) {
      if (startHosts.has(host) || named.has(host) || named.size >= maxHosts) continue;
      named.add(host);
      addWarning(report, `//${host}/`, reason);
    }
  };
}

/**
 * Returns the first hosts of a list of addresses. Parses only one address of each host, because a sitemap has many
 * addresses.
 */
export function hostsOf(urls: readonly string[]): string[] {
  const found = new Map<string, string>();
  let prefix = '//';
  for (const url of urls) {
    if (url.startsWith(prefix)) continue;
    const { origin, host } = URL.parse(url) ?? { origin: '//', host: '' };
    prefix = `${origin}/`;
    if (host !== '') found.set(origin, host);
    if (found.size > maxHosts) break;
  }
  return [...new Set(found.values())];
}
