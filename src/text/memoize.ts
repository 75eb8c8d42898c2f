/**
 * Returns a function that stores its results for recently used inputs: for the latest `capacity / 2` different inputs,
 * and for up to as many earlier ones. Inputs with the same key share one result. Use it for the texts of chunks,
 * because different queries often find the same chunks. Results must not be modified.
 */
export function memoize<Input, Result>(
  compute: (input: Input) => Result,
  keyOf: (input: Input) => string,
  capacity = 512,
): (input: Input) => Result {
  // Two generations instead of a list in order of use: finding a result then changes nothing.
  let recent = new Map<string, { readonly result: Result }>();
  let earlier = new Map<string, { readonly result: Result }>();
  const maxRecent = Math.max(1, Math.floor(capacity / 2));
  return (input) => {
    const key = keyOf(input);
    const known = recent.get(key);
    if (known !== undefined) return known.result;
    const entry = earlier.get(key) ?? { result: compute(input) };
    if (recent.size >= maxRecent) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(key, entry);
    return entry.result;
  };
}
