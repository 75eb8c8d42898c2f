/** Returns a function that calls `compute` when its value is first needed, and never again. */
export function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | null = null;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
