import { expect, test } from 'vitest';
import { createEventLog } from '../../../src/domain/chat/runs/event-log.ts';

const { signal } = new AbortController();

async function readAll<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const read: Event[] = [];
  for await (const event of events) read.push(event);
  return read;
}

test('a log that does not keep its events forgets what was read, and the reader misses nothing', async () => {
  const log = createEventLog<number>({ keepsEvents: false });
  const read: number[] = [];
  const reader = (async () => {
    for await (const event of log.read(0, signal)) {
      read.push(event);
      // Simulates a slow reader: several events arrive while it handles one.
      if (event % 7 === 0) await new Promise(setImmediate);
    }
  })();
  for (let event = 0; event < 100; event += 1) {
    log.push(event);
    if (event % 3 === 0) await new Promise(setImmediate);
  }
  await expect.poll(() => read.length).toBe(100);
  expect(log.events).toEqual([]);
  log.push(100);
  log.close();
  await reader;
  expect(read).toEqual(Array.from({ length: 101 }, (_, event) => event));
});

test('a log that keeps its events serves a later reader from any event', async () => {
  const log = createEventLog<string>({ keepsEvents: true });
  for (const event of ['a', 'b', 'c']) log.push(event);
  log.close();
  expect(await readAll(log.read(0, signal))).toEqual(['a', 'b', 'c']);
  expect(await readAll(log.read(1, signal))).toEqual(['b', 'c']);
});

test('the reader of an empty log receives the error of a failed start, even after an abort', async () => {
  const log = createEventLog<string>({ keepsEvents: false });
  const controller = new AbortController();
  const next = log.read(0, controller.signal).next();
  controller.abort();
  log.close({ error: new Error('no start') });
  await expect(next).rejects.toThrow('no start');
});
