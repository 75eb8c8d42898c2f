import { expect, test } from 'vitest';
import { createFairSlots } from '../../src/platform/fair-slots.ts';

const { signal } = new AbortController();

/** Returns the groups of the requests, in the order in which the requests got a slot. */
function startAll(groups: readonly string[], count: number) {
  const slots = createFairSlots(count);
  const started: { readonly group: string; readonly slot: Disposable }[] = [];
  for (const group of groups) {
    void slots.acquire(group, signal).then((slot) => started.push({ group, slot }));
  }
  const names = () => started.map(({ group }) => group).join('');
  return { slots, started, names, settle: () => new Promise(setImmediate) };
}

test('one group leaves a slot free for the others', async () => {
  const { names, settle, slots } = startAll(['a', 'a', 'a', 'a'], 3);
  await settle();
  expect(names()).toBe('aa');
  using _slot = await slots.acquire('b', signal);
});

test('the only slot is used by every group', async () => {
  const { names, settle, started } = startAll(['a', 'a', 'b'], 1);
  await settle();
  expect(names()).toBe('a');
  started[0]?.slot[Symbol.dispose]();
  await settle();
  expect(names()).toBe('aa');
});

test('a free slot goes to the group that holds the fewest', async () => {
  const { names, settle, started } = startAll(['a', 'a', 'a', 'b', 'c'], 3);
  await settle();
  expect(names()).toBe('aab');
  started[0]?.slot[Symbol.dispose]();
  await settle();
  expect(names()).toBe('aabc');
});

test('an abort removes the request, and rejects with its reason', async () => {
  const { slots, settle, started, names } = startAll(['a'], 1);
  await settle();
  const controller = new AbortController();
  const waiting = slots.acquire('b', controller.signal);
  controller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  const next = slots.acquire('c', signal);
  started[0]?.slot[Symbol.dispose]();
  using _slot = await next;
  expect(names()).toBe('a');
});

test('resumed requests go before the others, in the order of their arrival', async () => {
  const slots = createFairSlots(1);
  const held = await slots.acquire('a', signal);
  const order: string[] = [];
  const wait = async (name: string, isResumed: boolean) => {
    using _slot = await slots.acquire('a', signal, { isResumed });
    order.push(name);
  };
  const waiting = [
    wait('new', false),
    wait('resumed 1', true),
    wait('resumed 2', true),
    wait('resumed 3', true),
  ];
  held[Symbol.dispose]();
  await Promise.all(waiting);
  expect(order).toEqual(['resumed 1', 'resumed 2', 'resumed 3', 'new']);
});
