import { expect, test } from 'vitest';
import { createHostPace } from '../../src/platform/web/host-pace.ts';

test('spaces the requests of one tenant to one host, and delays no other', async () => {
  const pace = createHostPace();
  const leaving = new AbortController();
  const wait = (tenant: string, host: string) =>
    pace.wait({ tenant, host }, 600_000, leaving.signal);
  await wait('a', 'example.com');
  const second = wait('a', 'example.com').then(
    () => 'sent',
    () => 'stopped',
  );
  await wait('a', 'example.org');
  await wait('b', 'example.com');
  leaving.abort();
  expect(await second).toBe('stopped');
});
