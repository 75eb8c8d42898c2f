import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useMemo, useState } from 'react';
import { type CombinedError, type OperationResult, useClient } from 'urql';

interface Fresh<Data> {
  /** Stays while another is on its way. */
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
  /** Whether an answer to these variables is still to come. */
  readonly isLoading: boolean;
}

/**
 * What a query says now. `reload` asks once more, also behind an answer that is on its way: that one may not know yet of
 * what has just happened, and urql does not ask the same twice at a time.
 */
export function useFreshQuery<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
): Fresh<Data> & { reload(): void } {
  const client = useClient();
  const key = JSON.stringify(variables);
  const [shown, setShown] = useState<Fresh<Data>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const source = useMemo(() => {
    let isOpen = false;
    let isDue = false;
    let isRunning = false;
    const reload = async () => {
      isDue = true;
      if (isRunning) return;
      isRunning = true;
      while (isDue && isOpen) {
        isDue = false;
        const { data, error }: OperationResult<Data> = await client
          .query(document, JSON.parse(key) as Variables, { requestPolicy: 'network-only' })
          .toPromise();
        if (isOpen) setShown((old) => ({ data: data ?? old.data, error, isLoading: false }));
      }
      isRunning = false;
    };
    const open = () => {
      isOpen = true;
      setShown((old) => ({ ...old, isLoading: true }));
      void reload();
      return () => {
        isOpen = false;
      };
    };
    return { open, reload: () => void reload() };
  }, [client, document, key]);
  useEffect(() => source.open(), [source]);
  return { ...shown, reload: source.reload };
}
