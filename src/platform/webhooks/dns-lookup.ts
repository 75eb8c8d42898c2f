import { type LookupAddress, promises } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Timeout of one query to one name server. */
const timeoutMs = 3_000;
const maxTries = 2;

/**
 * Creates a lookup function that queries name servers directly. It does not use the system's getaddrinfo: a slow name
 * server would block one of the two threads that all lookups of the process share.
 * @param servers name servers to use. Default: the name servers of the system.
 */
export function createDnsLookup(servers?: readonly string[]): LookupFunction {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries: maxTries });
  if (servers !== undefined) resolver.setServers(servers);
  return (hostname, { all = false }, callback) => {
    const respond = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses;
      if (first === undefined) callback(nameNotFound(hostname), []);
      else if (all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    findAddresses(resolver, hostname).then(respond, (error) => callback(error, []));
  };
}

/** Name servers do not know `localhost` (RFC 6761). Callers that refuse private addresses then say why. */
const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

async function findAddresses(
  resolver: promises.Resolver,
  hostname: string,
): Promise<readonly LookupAddress[]> {
  if (/(?:^|\.)localhost\.?$/i.test(hostname)) return loopback;
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
  return Object.assign(new Error(`No address found for ${hostname}`), { code: 'ENOTFOUND' });
}
