/**
 * Returns whether a host belongs to the same organization as one of `hosts`, judged by the name: the last two labels
 * must be equal, as in `docs.example.com` and `example.com`. Under a second-level domain of a country, such as `co.uk`,
 * the last three labels must be equal. Ports may differ.
 */
export function isSameSite(host: string, hosts: Iterable<string>): boolean {
  const site = siteOf(host);
  return [...hosts].some((other) => siteOf(other) === site);
}

function siteOf(host: string): string {
  const name = host.replace(/:\d+$/, '');
  if (/^[\d.]+$|^\[/.test(name)) return name;
  const labels = name.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const isCountryDomain = top.length === 2 && second.length <= 3 && labels.length > 2;
  return labels.slice(isCountryDomain ? -3 : -2).join('.');
}
