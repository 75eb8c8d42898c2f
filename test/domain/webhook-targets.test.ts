import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpWebhookSender } from '../../src/domain/webhooks/http-webhook-sender.ts';
import { lookupByDns } from '../../src/domain/webhooks/lookup-by-dns.ts';
import type { WebhookAnswer, WebhookSender } from '../../src/domain/webhooks/webhook-sender.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Spellings of this machine, which a connection would reach. */
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
  // Private, shared, link-local.
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
  // Of no host: this network, multicast, broadcast, reserved, examples, measurements.
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
  // IPv4 within IPv6.
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

/** Names and what they mean. Public addresses stand beside private ones only, so that nothing leaves the machine. */
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
const unbounded = httpWebhookSender({ allowsPrivateTargets: true, timeoutMs: 2_000 });

beforeAll(async () => {
  receiver = await startWebhookReceiver('::').catch(() => startWebhookReceiver('0.0.0.0'));
  dns = await startDnsServer(names);
  sender = httpWebhookSender({
    allowsPrivateTargets: false,
    timeoutMs: 5_000,
    lookup: lookupByDns([dns.address]),
  });
});
afterAll(async () => {
  await receiver?.close();
  await dns?.close();
});

function send(by: WebhookSender, host: string, protocol = 'https'): Promise<WebhookAnswer> {
  const url = `${protocol}://${host}:${receiver.port}/hook`;
  return by.send({ url, headers: {}, body: '{}' }, new AbortController().signal);
}

const refused = { type: 'failure', reason: 'The target is not a public address' };

test.each(loopback)('%s is reached where the operator allows it', async (host) => {
  const before = receiver.connections;
  const answer = await send(unbounded, host, 'http');
  const isReachable = !host.startsWith('[') || !/EAFNOSUPPORT|EADDRNOTAVAIL/.test(reasonOf(answer));
  if (isReachable) {
    expect(answer).toMatchObject({ type: 'response', status: 204 });
    expect(receiver.connections).toBe(before + 1);
  }
});

function reasonOf(answer: WebhookAnswer): string {
  return answer.type === 'failure' ? answer.reason : '';
}

describe('by default', () => {
  test.each(privateHosts.filter((host) => host !== 'localhost'))(
    '%s is refused without a connection',
    async (host) => {
      const before = receiver.connections;
      expect(await send(sender, host)).toMatchObject(refused);
      expect(receiver.connections).toBe(before);
    },
  );

  test.each(Object.entries(names))(
    '%s, which means %j, is refused without a connection',
    async (name) => {
      const before = receiver.connections;
      expect(await send(sender, name)).toMatchObject(refused);
      expect(receiver.connections).toBe(before);
    },
  );

  test('a name is resolved once for each message, so that it cannot change behind the check', async () => {
    const before = dns.asked.length;
    await send(sender, 'loopback.test');
    // Once for either family.
    expect(dns.asked.slice(before)).toEqual(['loopback.test', 'loopback.test']);
  });

  test('names of this machine alone are not known', async () => {
    const before = receiver.connections;
    for (const name of ['localhost', 'LOCALHOST.', 'anything.localhost', 'unknown.test']) {
      expect(await send(sender, name)).toMatchObject({
        type: 'failure',
        reason: 'The name of the host cannot be resolved',
      });
    }
    expect(receiver.connections).toBe(before);
  });

  test('nothing is sent unencrypted', async () => {
    const before = receiver.connections;
    expect(await send(sender, '127.0.0.1', 'http')).toMatchObject({
      type: 'failure',
      reason: 'The target is not https',
    });
    expect(receiver.connections).toBe(before);
  });

  test('a name server that keeps silent is given up after the time-out', async () => {
    const impatient = httpWebhookSender({
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
