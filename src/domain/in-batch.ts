import type { Context } from './context.ts';

/**
 * One value of many that are read together: what a request asks for under one `name` until its other work pauses is
 * one call of `read`, which answers in the order of `keys`. Nothing is kept beyond that call.
 */
export type InBatch<Key, Value> = (
  context: Context,
  name: string,
  key: Key,
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
) => Promise<Value>;

/** Makes batches for values of one kind. */
export function createBatches<Key, Value>(): InBatch<Key, Value> {
  const batches = new WeakMap<Context, Map<string, Batch<Key, Value>>>();
  return async (context, name, key, read) => {
    const open = batches.get(context) ?? new Map<string, Batch<Key, Value>>();
    batches.set(context, open);
    const batch = open.get(name) ?? beginBatch(read, () => open.delete(name));
    open.set(name, batch);
    const place = batch.keys.push(key) - 1;
    const value = (await batch.values)[place];
    if (value === undefined) throw new Error(`A batch has no answer for key ${place} of ${name}`);
    return value;
  };
}

interface Batch<Key, Value> {
  readonly keys: Key[];
  readonly values: Promise<readonly Value[]>;
}

function beginBatch<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  end: () => void,
): Batch<Key, Value> {
  const keys: Key[] = [];
  const values = new Promise<readonly Value[]>((resolve, reject) => {
    setImmediate(() => {
      end();
      read(keys).then(resolve, reject);
    });
  });
  return { keys, values };
}
