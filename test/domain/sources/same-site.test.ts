import { expect, test } from 'vitest';
import { isSameSite } from '../../../src/domain/sources/website/same-site.ts';

test.each([
  ['docs.example.com', 'example.com', true],
  ['www.example.com', 'docs.example.com:8080', true],
  ['example.com', 'example.org', false],
  ['a.example.co.uk', 'example.co.uk', true],
  ['other.co.uk', 'example.co.uk', false],
  ['docs.sap.de', 'www.sap.de', false],
  ['127.0.0.1:80', '127.0.0.1:81', true],
  ['10.1.0.1', '10.2.0.1', false],
  ['[::1]:80', '[::1]:81', true],
  ['localhost', 'localhost:81', true],
])('%s and %s', (host, other, expected) => {
  expect(isSameSite(host, [other])).toBe(expected);
});
