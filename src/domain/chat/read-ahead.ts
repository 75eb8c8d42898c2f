/**
 * Starts to read a generator now, so that what it waits for overlaps with other work. Its first event or error is
 * returned by the first `next`.
 */
export function readAhead<T>(generator: AsyncGenerator<T, void, undefined>): AsyncIterable<T> {
  let first: Promise<IteratorResult<T, void>> | null = generator.next();
  // The reader receives the error. Without this, an error before its `next` would end the process.
  first.catch(() => {});
  const iterator: AsyncIterator<T, void, undefined> = {
    next() {
      const next = first ?? generator.next();
      first = null;
      return next;
    },
    return: () => generator.return(undefined),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
