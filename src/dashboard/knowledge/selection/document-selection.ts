import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import type { documentFields } from '../document-operations.ts';

type ListedDocument = ResultOf<typeof documentFields>;

/** The documents of the shown page that the operator has selected. */
export interface DocumentSelection {
  readonly documents: readonly ListedDocument[];
  /** Whether all shown documents are selected. */
  readonly isAll: boolean;
  isSelected(id: string): boolean;
  toggle(id: string): void;
  /** Selects all shown documents, or none if all are selected. */
  toggleAll(): void;
  clear(): void;
}

/** The selection of a list. A document that is no longer shown is not selected, so that no hidden one is deleted. */
export function useDocumentSelection(shown: readonly ListedDocument[]): DocumentSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const documents = shown.filter(({ id }) => ids.has(id));
  const isAll = documents.length > 0 && documents.length === shown.length;
  const selected = new Set(documents.map(({ id }) => id));
  return {
    documents,
    isAll,
    isSelected: (id) => selected.has(id),
    toggle: (id) => {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setIds(next);
    },
    toggleAll: () => setIds(new Set(isAll ? [] : shown.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}
