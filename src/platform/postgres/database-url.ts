/** Scheme and login, the hosts, and the rest of a Postgres URL. A password may contain commas. */
const pattern = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/**
 * Returns one URL per host. A URL may name several hosts as libpq accepts them:
 * `postgresql://user@a:5432,b:5432/database`.
 */
export function hostUrls(url: string): readonly string[] {
  const [, start = '', hosts = '', end = ''] = pattern.exec(url) ?? [];
  return start === '' ? [url] : hosts.split(',').map((host) => `${start}${host.trim()}${end}`);
}

/** Returns the URL with this port for every host. */
export function withPort(url: string, port: string): string {
  const urls = hostUrls(url).map((hostUrl) => Object.assign(new URL(hostUrl), { port }));
  const hosts = urls.map(({ host }) => host).join(',');
  const [first] = urls;
  return String(first).replace(pattern, (_, start, _host, end) => `${start}${hosts}${end}`);
}

/** Returns host and port of each host of the URL, for messages: `a:5432, b:5432`. */
export function hostNames(url: string): string {
  return hostUrls(url)
    .map((hostUrl) => {
      const { hostname, port } = new URL(hostUrl);
      return `${hostname}:${port || 5432}`;
    })
    .join(', ');
}

/** Returns the parameter `target_session_attrs`, as libpq names it, or null if the URL does not have it. */
export function targetSessionAttributes(url: string): string | null {
  return URL.parse(hostUrls(url)[0] ?? url)?.searchParams.get('target_session_attrs') ?? null;
}

/**
 * Whether a connection must use the host that accepts writes: the URL names several hosts, or has
 * `target_session_attrs`.
 */
export function requiresPrimary(url: string): boolean {
  return hostUrls(url).length > 1 || targetSessionAttributes(url) !== null;
}
