import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useMemo, useState } from 'react';
import { type CombinedError, type OperationResult, useClient } from 'urql';
import { coalesceReloads } from './coalesce-reloads.ts';
import { reloadOptions } from './fetch-with-timeout.ts';

interface QueryState<Data> {
  /** The latest result. While the query reloads, the previous result stays here. */
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
  /** Whether the first response for these variables has not arrived yet. */
  readonly isLoading: boolean;
}

/** Runs a query without the cache. If `reload` is called during a request, the query runs again after that request. */
export function useFreshQuery<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
): QueryState<Data> & { reload(): void } {
  const client = useClient();
  const key = JSON.stringify(variables);
  const [state, setState] = useState<QueryState<Data>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const loader = useMemo(() => {
    let isOpen = false;
    const reload = coalesceReloads(async () => {
      if (!isOpen) return;
      const { data, error }: OperationResult<Data> = await client
        .query(document, JSON.parse(key) as Variables, reloadOptions)
        .toPromise();
      if (!isOpen) return;
      setState((previous) => ({ data: data ?? previous.data, error, isLoading: false }));
      return error;
    });
    const open = () => {
      isOpen = true;
      setState((previous) => ({ ...previous, isLoading: true }));
      reload();
      return () => {
        isOpen = false;
        reload.stop();
      };
    };
    return { open, reload };
  }, [client, document, key]);
  useEffect(() => loader.open(), [loader]);
  return { ...state, reload: loader.reload };
}
