import type { TadaDocumentNode } from 'gql.tada';
import { useCallback } from 'react';
import { useMutation } from 'urql';
import { messagesOf, notifyFailure } from './failure.tsx';

/** Tells what the service says in another way, such as beside a field. False where it cannot. */
type Tell = (messages: readonly string[], code: unknown) => boolean;

/**
 * A mutation that people start. `run` gives what it returned, or null after it has told why it was not done.
 * `failure` is the headline then, such as "The reply was not sent".
 */
export function useAction<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  failure: string,
): {
  readonly isRunning: boolean;
  run(variables: Variables, tell?: Tell): Promise<Data | null>;
} {
  const [{ fetching }, execute] = useMutation(document);
  const run = useCallback(
    async (variables: Variables, tell?: Tell) => {
      const { data, error } = await execute(variables);
      const code = error?.graphQLErrors[0]?.extensions.code;
      if (error !== undefined && !tell?.(messagesOf(error), code)) notifyFailure(failure, error);
      return error === undefined ? (data ?? null) : null;
    },
    [execute, failure],
  );
  return { isRunning: fetching, run };
}
