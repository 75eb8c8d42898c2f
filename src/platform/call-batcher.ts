/**
 * Combines calls that have the same key. At most `maxRuns` runs per key are active at the same time. Calls that arrive
 * while they are active share the next run. So each call is answered by a run that started after the call, and that
 * reads everything committed before the call. If no run is active, a call runs at once.
 */
export interface CallBatcher<Input, Result> {
  /** @throws the error of the run. All calls that share the run get this error. */
  call(key: string, input: Input): Promise<Result>;
}

interface PendingCall<Input, Result> {
  readonly input: Input;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Group<Input, Result> {
  runs: number;
  /** Calls that wait for the next run. */
  readonly waiting: PendingCall<Input, Result>[];
}

/**
 * Creates a batcher. `run` receives at most `maxBatch` inputs, in the order in which the calls arrived. It returns one
 * result for each input, in the same order.
 */
export function createCallBatcher<Input, Result>(
  run: (inputs: readonly Input[], key: string) => Promise<readonly Result[]>,
  {
    maxBatch = Number.POSITIVE_INFINITY,
    maxRuns = 1,
  }: { readonly maxBatch?: number; readonly maxRuns?: number } = {},
): CallBatcher<Input, Result> {
  const groups = new Map<string, Group<Input, Result>>();

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
  const work = async (key: string, group: Group<Input, Result>) => {
    group.runs += 1;
    while (group.waiting.length > 0) await runBatch(key, group.waiting.splice(0, maxBatch));
    group.runs -= 1;
    if (group.runs === 0) groups.delete(key);
  };

  return {
    call: (key, input) =>
      new Promise((resolve, reject) => {
        const group = groups.get(key) ?? { runs: 0, waiting: [] };
        groups.set(key, group);
        group.waiting.push({ input, resolve, reject });
        if (group.runs < maxRuns) void work(key, group);
      }),
  };
}
