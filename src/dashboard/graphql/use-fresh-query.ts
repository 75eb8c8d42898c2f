import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useMemo, useState } from 'react';
import { type CombinedError, type OperationResult, useClient } from 'urql';
import { createRefresh } from './refresh.ts';

interface Fresh<Data> {
  /** Stays while another is on its way. */
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
  /** Whether an answer to these variables is still to come. */
  readonly isLoading: boolean;
}

/** What a query says now. `reload` asks once more, also behind an answer that is on its way. */
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
    const reload = createRefresh(async () => {
      if (!isOpen) return;
      const { data, error }: OperationResult<Data> = await client
        .query(document, JSON.parse(key) as Variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (isOpen) setShown((old) => ({ data: data ?? old.data, error, isLoading: false }));
    });
    const open = () => {
      isOpen = true;
      setShown((old) => ({ ...old, isLoading: true }));
      reload();
      return () => {
        isOpen = false;
      };
    };
    return { open, reload };
  }, [client, document, key]);
  useEffect(() => source.open(), [source]);
  return { ...shown, reload: source.reload };
}
