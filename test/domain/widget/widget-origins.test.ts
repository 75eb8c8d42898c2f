import { describe, expect, it, test } from 'vitest';
import {
  generateApiKey,
  generatePublishableKey,
  isWellFormedApiKey,
  isWellFormedPublishableKey,
} from '../../../src/domain/api-keys/api-key-format.ts';
import {
  isAllowedOrigin,
  normalizeAllowedOrigins,
} from '../../../src/domain/widget/allowed-origins.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { networkPrefix } from '../../../src/platform/hash-address.ts';

describe('the list of allowed sites', () => {
  it.each([
    ['https://shop.example.com', 'https://shop.example.com'],
    ['shop.example.com', 'https://shop.example.com'],
    [' HTTPS://Shop.Example.com/ ', 'https://shop.example.com'],
    ['https://shop.example.com:443', 'https://shop.example.com'],
    ['https://shop.example.com:8443', 'https://shop.example.com:8443'],
    ['*.example.com', 'https://*.example.com'],
    ['https://*.example.com:8443', 'https://*.example.com:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['localhost:5173', 'http://localhost:5173'],
    ['http://localhost', 'http://localhost'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('accepts %s as %s', (written, read) => {
    expect(normalizeAllowedOrigins([written])).toEqual([read]);
  });

  it.each([
    '',
    '*',
    'https://*',
    '*.com',
    'https://*.localhost',
    'http://shop.example.com',
    'http://*.example.com',
    'https://shop.example.com/path',
    'https://shop.example.com?x',
    'https://user@shop.example.com',
    'https://shop.*.example.com',
    'https://example',
    'https://10.0.0.1',
    'https://167772161',
    'https://[2001:db8::1]',
    'ftp://example.com',
    'javascript:alert(1)',
    'null',
    'https://shop.example.com https://other.example.com',
    `https://${'a'.repeat(400)}.com`,
    'https://shop.example.com:99999',
  ])('rejects %s', (written) => {
    expect(() => normalizeAllowedOrigins([written])).toThrow(DomainError);
  });

  it('contains each site once, and at most fifty', () => {
    expect(normalizeAllowedOrigins(['a.example.com', 'https://A.example.com/'])).toHaveLength(1);
    const many = Array.from({ length: 51 }, (_, n) => `s${n}.example.com`);
    expect(normalizeAllowedOrigins(many.slice(1))).toHaveLength(50);
    expect(() => normalizeAllowedOrigins(many)).toThrow('at most 50');
  });

  it('names every invalid entry', () => {
    const refused = (() => {
      try {
        return normalizeAllowedOrigins(['a.example.com', 'ftp://b', 'http://c.example.com']);
      } catch (error) {
        return (error as DomainError).messages;
      }
    })();
    expect(refused).toEqual([
      expect.stringContaining('"ftp://b"'),
      expect.stringContaining('"http://c.example.com"'),
    ]);
  });
});

describe('a page', () => {
  const list = normalizeAllowedOrigins([
    'www.example.com',
    '*.shop.example',
    'https://*.test.example:8443',
    'http://localhost:5173',
  ]);

  it.each([
    'https://www.example.com',
    'https://a.shop.example',
    'https://a.b.shop.example',
    'https://a.test.example:8443',
    'http://localhost:5173',
  ])('of %s is allowed', (origin) => {
    expect(isAllowedOrigin(origin, list)).toBe(true);
    expect(isAllowedOrigin(origin, [])).toBe(false);
  });

  it.each([
    'null',
    '',
    'https://example.com',
    'http://www.example.com',
    'https://www.example.com:444',
    'https://www.example.com.evil.example',
    'https://evil-www.example.com',
    'https://shop.example',
    'https://.shop.example',
    'https://evilshop.example',
    'http://a.shop.example',
    'https://a.shop.example:444',
    'https://a.test.example',
    'https://evil.example/.shop.example',
    'https://evil.example#.shop.example',
    'https://evil.example@a.shop.example',
    'https://evil.example\\.shop.example',
    'HTTPS://WWW.EXAMPLE.COM',
    'http://localhost:5174',
    'https://localhost:5173',
    'https://*.shop.example',
  ])('of %s is not allowed', (origin) => {
    expect(isAllowedOrigin(origin, list)).toBe(false);
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s counts as %s', (address, network) => {
  expect(networkPrefix(address)).toBe(network);
});

test('publishable and secret keys are never confused', () => {
  const publishable = generatePublishableKey();
  const secret = generateApiKey();
  expect(publishable).toMatch(/^pk_[0-9A-Za-z]{28}$/);
  expect([isWellFormedPublishableKey(publishable), isWellFormedApiKey(publishable)]).toEqual([
    true,
    false,
  ]);
  expect([isWellFormedPublishableKey(secret), isWellFormedApiKey(secret)]).toEqual([false, true]);
  expect(isWellFormedPublishableKey(`${publishable.slice(0, -1)}!`)).toBe(false);
  expect(isWellFormedPublishableKey(publishable.replace('pk_', 'sk_'))).toBe(false);
});
