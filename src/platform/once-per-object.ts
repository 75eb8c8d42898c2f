/**
 * Returns a function that calls `create` once for each object, and returns the same value as long as the object is in
 * memory. Services in one process share nothing, because each has its own database.
 */
export function oncePerObject<Key extends object, Value extends object>(
  create: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
}
