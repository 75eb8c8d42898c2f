/** Returns a function that calls `compute` when the value is first needed, and then always returns that value. */
export function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | null = null;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
