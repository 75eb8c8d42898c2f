import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { settingNames } from '../../src/config/settings.ts';

const unit = readFileSync('deploy/systemd/grounded-chat.service', 'utf8');
const templateUnit = readFileSync('deploy/systemd/grounded-chat@.service', 'utf8');
const nginx = readFileSync('deploy/nginx/grounded-chat.conf', 'utf8');
const ingress = readFileSync('deploy/kubernetes/ingress.yaml', 'utf8');
const defaults = readConfig({});

test.each([
  ['grounded-chat.service', unit],
  ['grounded-chat@.service', templateUnit],
])('%s gives running answers their time, and sets what the service knows', (_, text) => {
  const lines = text.split('\n').filter((line) => line.startsWith('Environment='));
  const names = lines.flatMap((line) =>
    [...line.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name),
  );
  const known = [...settingNames, 'MALLOC_ARENA_MAX'];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  const seconds = (defaults.stopDelayMs + defaults.stopGraceMs) / 1_000;
  const delay = Number(/\bSTOP_DELAY_SECONDS=(\d+)/.exec(text)?.[1] ?? 0);
  expect(numberIn(text, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThanOrEqual(seconds + delay + 15);
  expect(numberIn(text, /^LimitNOFILE=(\d+)$/m)).toBeGreaterThan(2 * defaults.maxConnections);
});

test('both units protect the machine in the same way', () => {
  const sandbox = (text: string) => text.slice(text.indexOf('# The service reads its code'));
  expect(sandbox(templateUnit)).toBe(sandbox(unit));
});

test.each([
  ['nginx', /proxy_read_timeout (\d+)s;/, nginx],
  ['the ingress', /proxy-read-timeout: '(\d+)'/, ingress],
])('%s waits for the longest answer', (_, pattern, text) => {
  const { chat, answerStarts } = defaults;
  expect(numberIn(text, pattern) * 1_000).toBeGreaterThan(chat.timeoutMs + answerStarts.maxWaitMs);
});

test('proxies accept the largest upload of a plan', () => {
  const schema = readFileSync('src/schema/organizations/organization.ts', 'utf8').replaceAll(
    '_',
    '',
  );
  const largest = numberIn(schema, /maxUploadBytes: optionalInteger\(1, (\d+)\)/);
  expect(numberIn(nginx, /client_max_body_size (\d+)g;/) * 2 ** 30).toBeGreaterThan(largest);
  expect(numberIn(ingress, /proxy-body-size: (\d+)g/) * 2 ** 30).toBeGreaterThan(largest);
});

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]);
}
