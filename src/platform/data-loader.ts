/**
 * Returns the value of one key. Requests with the same `name` in one turn of the event loop share one call of `read`.
 * `read` returns one value per key, in the order of `keys`. Values are not cached for later turns.
 */
export type DataLoader<Key, Value> = (
  /** The API request. Only keys of the same request are read together. */
  scope: object,
  name: string,
  key: Key,
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
) => Promise<Value>;

/** Creates a data loader for values of one type. */
export function createDataLoader<Key, Value>(): DataLoader<Key, Value> {
  const batches = new WeakMap<object, Map<string, Batch<Key, Value>>>();
  return async (scope, batchName, key, read) => {
    const openBatches = batches.get(scope) ?? new Map<string, Batch<Key, Value>>();
    batches.set(scope, openBatches);
    const batch =
      openBatches.get(batchName) ?? startBatch(read, () => openBatches.delete(batchName));
    openBatches.set(batchName, batch);
    const index = batch.keys.push(key) - 1;
    const value = (await batch.values)[index];
    if (value === undefined)
      throw new Error(`The batch ${batchName} has no value for key ${index}`);
    return value;
  };
}

interface Batch<Key, Value> {
  readonly keys: Key[];
  readonly values: Promise<readonly Value[]>;
}

function startBatch<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  onDispatch: () => void,
): Batch<Key, Value> {
  const keys: Key[] = [];
  const values = new Promise<readonly Value[]>((resolve, reject) => {
    setImmediate(() => {
      onDispatch();
      read(keys).then(resolve, reject);
    });
  });
  return { keys, values };
}
