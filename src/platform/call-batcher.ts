/**
 * Combines calls with the same key. One run per key works at a time; calls that arrive in the meantime share the next
 * one. So a run always starts after the arrival of its calls, and sees everything committed before. A lone call runs at
 * once.
 */
export interface CallBatcher<Input, Result> {
  /** @throws the error of the run, like every other call of it. */
  call(key: string, input: Input): Promise<Result>;
}

interface PendingCall<Input, Result> {
  readonly input: Input;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Creates a batcher. `run` receives at most `maxBatch` inputs, in the order of arrival, and returns one result for each,
 * in the same order.
 */
export function createCallBatcher<Input, Result>(
  run: (inputs: readonly Input[], key: string) => Promise<readonly Result[]>,
  { maxBatch = Number.POSITIVE_INFINITY }: { readonly maxBatch?: number } = {},
): CallBatcher<Input, Result> {
  /** Calls that wait, for each key with a run that works. */
  const waiting = new Map<string, PendingCall<Input, Result>[]>();

  const runBatch = async (key: string, calls: readonly PendingCall<Input, Result>[]) => {
    try {
      const results = await run(
        calls.map(({ input }) => input),
        key,
      );
      if (results.length !== calls.length) throw new Error('A batch must have one result per call');
      for (const [index, result] of results.entries()) calls[index]?.resolve(result);
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  };
  const work = async (key: string, first: PendingCall<Input, Result>) => {
    const queue: PendingCall<Input, Result>[] = [];
    waiting.set(key, queue);
    await runBatch(key, [first]);
    while (queue.length > 0) await runBatch(key, queue.splice(0, maxBatch));
    waiting.delete(key);
  };

  return {
    call: (key, input) =>
      new Promise((resolve, reject) => {
        const call = { input, resolve, reject };
        const queue = waiting.get(key);
        if (queue === undefined) void work(key, call);
        else queue.push(call);
      }),
  };
}
