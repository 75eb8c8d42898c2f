import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export const statuses = ['PROCESSING', 'READY', 'FAILED'] as const;
export const orders = ['NEWEST', 'OLDEST', 'NAME', 'LARGEST'] as const;

export interface DocumentFilter {
  readonly search: string;
  /** Null: all. */
  readonly status: (typeof statuses)[number] | null;
  readonly order: (typeof orders)[number];
  /** From 1. */
  readonly page: number;
}

/** Which documents are listed. It stands in the address, so that it can be shared and is there on the way back. */
export function useDocumentFilter(): [DocumentFilter, (part: Partial<DocumentFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = {
    search: params.get('search')?.slice(0, 255) ?? '',
    status: statuses.find((status) => status === params.get('status')) ?? null,
    order: orders.find((order) => order === params.get('order')) ?? 'NEWEST',
    page: Math.min(1_000_000, Math.max(1, Math.trunc(Number(params.get('page'))) || 1)),
  };
  const change = useCallback(
    (part: Partial<DocumentFilter>) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
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
