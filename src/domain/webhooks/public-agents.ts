import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { lookupByDns } from './lookup-by-dns.ts';

/**
 * Agents that connect to public addresses only. A name is resolved, judged and connected to in one go, so that it
 * cannot mean something else in between; one private address among several is enough to refuse it.
 */
export function publicAgents(lookup: LookupFunction = lookupByDns()): {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
} {
  const options = { lookup: refuseOddIpv6(lookup) };
  return {
    http: new RequestFilteringHttpAgent(options),
    https: new RequestFilteringHttpsAgent(options),
  };
}

/** Whether a host, as a URL spells it, is no address that the agents would take for public by mistake. */
export function isPublicLiteral(host: string): boolean {
  return !isOddIpv6(host.replace(/^\[(.*)\]$/, '$1'));
}

/** Whether one of the agents has refused to connect. */
export function isNotPublic(error: unknown): boolean {
  return error instanceof Error && error.message.includes(refusal);
}

/** How the errors of request-filtering-agent can be told, which have no code. */
const refusal = 'is not allowed';

/** All that is public in IPv6. The agents miss what lies outside without a purpose, such as `::7f00:1`. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

function isOddIpv6(address: string): boolean {
  return isIPv6(address) && !publicIpv6.check(address, 'ipv6');
}

function refuseOddIpv6(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses =
        typeof found === 'string' ? [found] : (found ?? []).map((one) => one.address);
      if (error === null && addresses.some(isOddIpv6)) callback(new Error(refusal), []);
      else callback(error, found, family);
    });
}
