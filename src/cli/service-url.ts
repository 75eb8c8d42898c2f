import type { Config } from '../config/config.ts';

/** Replaces addresses that mean "all addresses of this machine" by the address at which the machine reaches itself. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the URL at which this machine reaches the service that has these settings. */
export function serviceUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = loopbackOf[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns the URL of links for people: `PUBLIC_URL`, or without it the one at which this machine reaches the service. */
export function linkUrl({
  publicUrl,
  ...config
}: Pick<Config, 'host' | 'port' | 'publicUrl'>): string {
  return publicUrl ?? serviceUrl(config);
}
