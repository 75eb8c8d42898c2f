import { type LookupAddress, promises } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** For one server and one question; asked twice at most. */
const timeoutMs = 3_000;
const tries = 2;

/**
 * Resolves names by asking the name servers. The system's own way occupies one of two threads that all of the
 * process shares, so that names whose servers keep silent would hold up everybody.
 */
export function lookupByDns(servers?: readonly string[]): LookupFunction {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  return (hostname, { all = false }, callback) => {
    const answer = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses;
      if (first === undefined) callback(nameNotFound(hostname), []);
      else if (all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    findAddresses(resolver, hostname).then(answer, (error) => callback(error, []));
  };
}

async function findAddresses(
  resolver: promises.Resolver,
  hostname: string,
): Promise<readonly LookupAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
  const addresses = (found: typeof ipv4, family: number) =>
    found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family }));
  return [...addresses(ipv4, 4), ...addresses(ipv6, 6)];
}

function nameNotFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`No address for ${hostname}`), { code: 'ENOTFOUND' });
}
