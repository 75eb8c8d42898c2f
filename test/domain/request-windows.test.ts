import { beforeAll, beforeEach, expect, test } from 'vitest';
import { countInWindows } from '../../src/domain/usage/request-windows.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  await service.adapters.pool.query('delete from grounded.request_windows');
});

async function count(name: string, seconds?: number) {
  const [window] = await countInWindows(service.adapters, [name], 1, seconds);
  return window;
}

function makeOlder(seconds: number): Promise<unknown> {
  return service.adapters.pool.query(
    'update grounded.request_windows set ends_at = ends_at - make_interval(secs => $1)',
    [seconds],
  );
}

test('a window of an hour keeps its count while windows of a minute end and are deleted', async () => {
  await count('hour', 3_600);
  await count('minute');
  await makeOlder(61);
  await count('other');
  const { rows } = await service.adapters.pool.query(
    'select name from grounded.request_windows order by name',
  );
  expect(rows).toEqual([{ name: 'hour' }, { name: 'other' }]);
  expect(await count('hour', 3_600)).toMatchObject({ counted: 2 });
});

test('callers whose windows have ended return at the same time, and none waits for another forever', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `caller ${n}`);
  for (let round = 1; round <= 10; round += 1) {
    await makeOlder(61);
    await Promise.all(names.map((name) => count(name)));
  }
  const windows = await Promise.all(names.map((name) => count(name)));
  expect(windows.map((window) => window?.counted)).toEqual(names.map(() => 2));
});

test('a window that has ended starts again with its full length', async () => {
  await count('caller', 3_600);
  await makeOlder(3_601);
  expect(await count('caller', 3_600)).toEqual({
    name: 'caller',
    counted: 1,
    resetSeconds: 3_600,
  });
});

test('names in any order, counted at the same time, do not deadlock, and none is lost', async () => {
  const names = ['a', 'b', 'c'];
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      countInWindows(service.adapters, n % 2 === 0 ? names : names.toReversed(), 2),
    ),
  );
  const windows = await countInWindows(service.adapters, names, 0);
  expect(windows.map(({ counted }) => counted)).toEqual([120, 120, 120]);
});
