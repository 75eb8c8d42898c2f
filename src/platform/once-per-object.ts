/**
 * Returns a function that calls `create` once for each object. The function returns the same value for an object as
 * long as the object is in memory. Because the value belongs to an object such as a database, several services in one
 * process do not share values.
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
