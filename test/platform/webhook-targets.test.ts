import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDnsLookup } from '../../src/platform/webhooks/dns-lookup.ts';
import { createHttpWebhookSender } from '../../src/platform/webhooks/http-webhook-sender.ts';
import type { WebhookResult, WebhookSender } from '../../src/platform/webhooks/webhook-sender.ts';
import { type DnsServer, startDnsServer } from '../support/servers/dns-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

/** Different spellings of loopback addresses. All of them would connect to this machine. */
const loopback = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7F.1',
  '0177.0.0.1',
  '017700000001',
  '１２７.０.０.１',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  'localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
];

const privateHosts = [
  ...loopback,
  // Private, shared and link-local addresses.
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  // Addresses that no host has: this network, multicast, broadcast, reserved, documentation, benchmarking.
  '0.1.2.3',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[4000::1]',
  // IPv4 addresses that are embedded in IPv6.
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::1]',
  '[2001:0:7f00:1::1]',
];

/**
 * Host names with their addresses. A public address is listed only together with a private one, so that no test
 * connects to the Internet.
 */
const names = {
  'loopback.test': ['127.0.0.1'],
  'loopback-6.test': ['::1'],
  'mapped.test': ['::ffff:7f00:1'],
  'compatible.test': ['::7f00:1'],
  'unassigned.test': ['4000::1'],
  'metadata.test': ['169.254.169.254'],
  'unspecified.test': ['0.0.0.0'],
  'second.test': ['93.184.216.34', '127.0.0.1'],
  'other-family.test': ['93.184.216.34', '::1'],
};

let receiver: WebhookReceiver;
let dns: DnsServer;
let sender: WebhookSender;
const unbounded = createHttpWebhookSender({ allowsPrivateTargets: true, timeoutMs: 2_000 });

beforeAll(async () => {
  receiver = await startWebhookReceiver('::').catch(() => startWebhookReceiver('0.0.0.0'));
  dns = await startDnsServer(names);
  sender = createHttpWebhookSender({
    allowsPrivateTargets: false,
    timeoutMs: 5_000,
    lookup: createDnsLookup([dns.address]),
  });
});
afterAll(async () => {
  await receiver?.close();
  await dns?.close();
});

function send(by: WebhookSender, host: string, protocol = 'https'): Promise<WebhookResult> {
  const url = `${protocol}://${host}:${receiver.port}/hook`;
  return by.send({ url, headers: {}, body: '{}' }, new AbortController().signal);
}

const refused = {
  type: 'failure',
  reason: 'The target is not a public address. For development, set ALLOW_PRIVATE_WEBHOOKS=true',
};

test.each(loopback)('%s is reachable if the operator allows it', async (host) => {
  const before = receiver.connectionCount;
  const answer = await send(unbounded, host, 'http');
  const isReachable = !host.startsWith('[') || !/EAFNOSUPPORT|EADDRNOTAVAIL/.test(reasonOf(answer));
  if (isReachable) {
    expect(answer).toMatchObject({ type: 'response', status: 204 });
    expect(receiver.connectionCount).toBe(before + 1);
  }
});

function reasonOf(answer: WebhookResult): string {
  return answer.type === 'failure' ? answer.reason : '';
}

describe('by default', () => {
  test.each(privateHosts)('%s is rejected without a connection', async (host) => {
    const before = receiver.connectionCount;
    expect(await send(sender, host)).toMatchObject(refused);
    expect(receiver.connectionCount).toBe(before);
  });

  test.each(Object.entries(names))(
    '%s, which resolves to %j, is rejected without a connection',
    async (name) => {
      const before = receiver.connectionCount;
      expect(await send(sender, name)).toMatchObject(refused);
      expect(receiver.connectionCount).toBe(before);
    },
  );

  test('a name is resolved once per message, so that it cannot change after the check', async () => {
    const before = dns.queriedNames.length;
    await send(sender, 'loopback.test');
    // Each address family has one query.
    expect(dns.queriedNames.slice(before)).toEqual(['loopback.test', 'loopback.test']);
  });

  test('names below localhost are refused as private, without a query', async () => {
    const before = receiver.connectionCount;
    const queries = dns.queriedNames.length;
    for (const name of ['LOCALHOST.', 'anything.localhost']) {
      expect(await send(sender, name)).toMatchObject(refused);
    }
    expect(dns.queriedNames.length).toBe(queries);
    expect(receiver.connectionCount).toBe(before);
  });

  test('an unknown name is not resolved', async () => {
    expect(await send(sender, 'unknown.test')).toMatchObject({
      type: 'failure',
      reason: 'The name of the host cannot be resolved',
    });
  });

  test('nothing is sent unencrypted', async () => {
    const before = receiver.connectionCount;
    expect(await send(sender, '127.0.0.1', 'http')).toMatchObject({
      type: 'failure',
      reason: 'The target is not https',
    });
    expect(receiver.connectionCount).toBe(before);
  });

  test('a DNS server that does not respond is abandoned after the timeout', async () => {
    const impatient = createHttpWebhookSender({
      allowsPrivateTargets: false,
      timeoutMs: 300,
      lookup: () => {},
    });
    expect(await send(impatient, 'silent.test')).toMatchObject({
      type: 'failure',
      reason: 'No answer within 0.3 seconds',
    });
  });
});
