import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useState } from 'react';
import { useClient, useMutation } from 'urql';
import { errorMessageOf, errorMessagesOf, notifyFailure } from '../components/error-messages.tsx';
import { reloadOperator } from './operator.tsx';

/** Shows an error in another place, for example at a form field. Returns false if it did not show the error. */
type ErrorHandler = (messages: readonly string[], code: unknown) => boolean;

/** What a form shows at the button that saves it. */
export interface Saving {
  readonly isRunning: boolean;
  /** Why the last attempt failed. Null while it runs, after a success, and if the fields show the errors. */
  readonly failure: string | null;
}

/**
 * A mutation that shows a notification if it fails. `run` resolves to the result, or to null after a failure. A
 * `FORBIDDEN` error also reloads the operator, because the operator's role may have changed.
 *
 * @param failureTitle The title of the notification, for example "The reply was not sent".
 */
export function useNotifyingMutation<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  failureTitle: string,
): Saving & {
  run(variables: Variables, handleError?: ErrorHandler): Promise<Data | null>;
} {
  const client = useClient();
  const [{ fetching }, execute] = useMutation(document);
  const [failure, setFailure] = useState<string | null>(null);
  const run = useCallback(
    async (variables: Variables, handleError?: ErrorHandler) => {
      setFailure(null);
      const { data, error } = await execute(variables);
      const code = error?.graphQLErrors[0]?.extensions.code;
      if (error !== undefined && !handleError?.(errorMessagesOf(error), code)) {
        notifyFailure(failureTitle, error);
        setFailure(`${failureTitle}: ${errorMessageOf(error)}`);
      }
      if (code === 'FORBIDDEN') reloadOperator(client);
      return error === undefined ? (data ?? null) : null;
    },
    [client, execute, failureTitle],
  );
  return { isRunning: fetching, failure, run };
}
