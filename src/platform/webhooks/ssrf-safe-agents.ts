import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { createDnsLookup } from './dns-lookup.ts';

/**
 * Creates HTTP agents that connect only to public addresses. The agents check the resolved address of each connection,
 * so DNS rebinding has no effect. If one of the addresses of a host name is private, they refuse the host name.
 */
export function createSsrfSafeAgents(lookup: LookupFunction = createDnsLookup()): {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
} {
  const options = { lookup: rejectNonPublicIpv6(lookup) };
  return {
    http: new RequestFilteringHttpAgent(options),
    https: new RequestFilteringHttpsAgent(options),
  };
}

/**
 * Returns false for a literal IPv6 address outside the public range. Needed because the HTTP agents do not refuse some
 * of these addresses.
 */
export function isAllowedHostLiteral(host: string): boolean {
  return !isNonPublicIpv6(host.replace(/^\[(.*)\]$/, '$1'));
}

/** Whether an HTTP agent refused to connect because the address is not public. */
export function isNonPublicAddressError(error: unknown): boolean {
  return error instanceof Error && error.message.includes(refusalMessage);
}

/** All errors of request-filtering-agent contain this text. These errors have no code. */
const refusalMessage = 'is not allowed';

/**
 * Public IPv6 range. request-filtering-agent does not refuse some unassigned addresses outside this range, such as
 * `::7f00:1`.
 */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

function isNonPublicIpv6(address: string): boolean {
  return isIPv6(address) && !publicIpv6.check(address, 'ipv6');
}

function rejectNonPublicIpv6(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses =
        typeof found === 'string' ? [found] : (found ?? []).map((one) => one.address);
      if (error === null && addresses.some(isNonPublicIpv6))
        callback(new Error(refusalMessage), []);
      else callback(error, found, family);
    });
}
