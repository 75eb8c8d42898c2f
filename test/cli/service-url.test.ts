import { expect, test } from 'vitest';
import { serviceUrl } from '../../src/cli/service-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['localhost', 'http://localhost:3000'],
  ['::', 'http://[::1]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['fd00::5', 'http://[fd00::5]:3000'],
])('a service that listens on %s is reached at %s', (host, url) => {
  expect(serviceUrl({ host, port: 3000 })).toBe(url);
  expect(URL.canParse(url)).toBe(true);
});
