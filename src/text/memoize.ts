/**
 * Returns a function that stores its results for the most recently used inputs. Inputs with the same key share one
 * result. Use it for the texts of chunks, because different queries often find the same chunks. Results must not be
 * modified.
 */
export function memoize<Input, Result>(
  compute: (input: Input) => Result,
  keyOf: (input: Input) => string,
  capacity = 512,
): (input: Input) => Result {
  /** Results by key. The least recently used result is the first. */
  const results = new Map<string, { readonly result: Result }>();
  return (input) => {
    const key = keyOf(input);
    const entry = results.get(key) ?? { result: compute(input) };
    results.delete(key);
    results.set(key, entry);
    if (results.size <= capacity) return entry.result;
    const [oldest] = results.keys();
    if (oldest !== undefined) results.delete(oldest);
    return entry.result;
  };
}
