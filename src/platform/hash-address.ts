import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';

/**
 * Returns a keyed hash of an IP address. IP addresses are personal data, so only this hash is stored, and only for the
 * length of the rate limit window.
 */
export function hashAddress(address: string, secret: Uint8Array): string {
  return createHmac('sha256', secret)
    .update(networkPrefix(address))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * Returns an IPv4 address unchanged. For an IPv6 address, returns its /64 network, because one internet subscriber can
 * use all 2^64 addresses of the network.
 */
export function networkPrefix(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*/s, '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailGroups = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - tailGroups.length;
  const all = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...tailGroups];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
