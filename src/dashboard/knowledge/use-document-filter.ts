import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export const documentStatuses = ['PROCESSING', 'READY', 'FAILED'] as const;
export const documentOrders = ['NEWEST', 'OLDEST', 'NAME', 'LARGEST'] as const;

export interface DocumentFilter {
  readonly search: string;
  /** Null returns documents with any status. */
  readonly status: (typeof documentStatuses)[number] | null;
  readonly order: (typeof documentOrders)[number];
  /** Page number, counted from 1. */
  readonly page: number;
}

/** The filter of the document list. The URL stores it. */
export function useDocumentFilter(): [DocumentFilter, (part: Partial<DocumentFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = {
    search: params.get('search')?.slice(0, 255) ?? '',
    status: documentStatuses.find((status) => status === params.get('status')) ?? null,
    order: documentOrders.find((order) => order === params.get('order')) ?? 'NEWEST',
    page: Math.min(1_000_000, Math.max(1, Math.trunc(Number(params.get('page'))) || 1)),
  };
  const change = useCallback(
    (part: Partial<DocumentFilter>) =>
      setParams(
        (previous) => {
          const next = new URLSearchParams(previous);
          if (part.page === undefined) next.delete('page');
          for (const [name, value] of Object.entries(part)) {
            if (value === null || value === '') next.delete(name);
            else next.set(name, `${value}`);
          }
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [filter, change];
}
