import type { TadaDocumentNode } from 'gql.tada';
import { useCallback } from 'react';
import { useClient, useMutation } from 'urql';
import { notifyFailure } from './failure.tsx';
import { reloadOperator } from './operator.tsx';

/**
 * A mutation that people start. `run` gives what it returned, or null after it has told why it was not done.
 * `failure` is the headline then, such as "The reply was not sent".
 */
export function useAction<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  failure: string,
): { readonly isRunning: boolean; run(variables: Variables): Promise<Data | null> } {
  const client = useClient();
  const [{ fetching }, execute] = useMutation(document);
  const run = useCallback(
    async (variables: Variables) => {
      const { data, error } = await execute(variables);
      if (error !== undefined) notifyFailure(failure, error);
      const isRefused = error?.graphQLErrors.some(
        ({ extensions }) => extensions.code === 'FORBIDDEN',
      );
      if (isRefused) reloadOperator(client);
      return error === undefined ? (data ?? null) : null;
    },
    [client, execute, failure],
  );
  return { isRunning: fetching, run };
}
