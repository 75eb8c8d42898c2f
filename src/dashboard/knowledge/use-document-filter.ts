import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { type FileType, fileFormats } from '../../extract/file-formats.ts';

export const documentStatuses = ['PROCESSING', 'READY', 'FAILED'] as const;
export const documentOrders = ['NEWEST', 'OLDEST', 'NAME', 'LARGEST'] as const;
export const documentTypes = Object.keys(fileFormats) as FileType[];
/** The languages that the service detects. */
export const documentLanguages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt'] as const;
const warningChoices = ['with', 'without'] as const;

export interface DocumentFilter {
  readonly search: string;
  /** Null returns documents with any status. */
  readonly status: (typeof documentStatuses)[number] | null;
  /** Id of a source, or ''. */
  readonly source: string;
  readonly tag: string;
  readonly type: FileType | null;
  readonly language: (typeof documentLanguages)[number] | null;
  /** Null returns documents with and without warnings. */
  readonly warnings: (typeof warningChoices)[number] | null;
  readonly order: (typeof documentOrders)[number];
  /** Page number, counted from 1. */
  readonly page: number;
}

/** Selects all documents. */
export const noFilter = {
  search: '',
  status: null,
  source: '',
  tag: '',
  type: null,
  language: null,
  warnings: null,
} satisfies Partial<DocumentFilter>;

/** Returns whether the filter may exclude documents. */
export function isFiltering(filter: DocumentFilter): boolean {
  return Object.entries(noFilter).some(
    ([name, value]) => filter[name as keyof typeof noFilter] !== value,
  );
}

/** The filter of the document list. The URL stores it. */
export function useDocumentFilter(): [DocumentFilter, (part: Partial<DocumentFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = {
    search: params.get('search')?.slice(0, 255) ?? '',
    status: documentStatuses.find((status) => status === params.get('status')) ?? null,
    source: params.get('source') ?? '',
    tag: params.get('tag')?.slice(0, 100) ?? '',
    type: documentTypes.find((type) => type === params.get('type')) ?? null,
    language: documentLanguages.find((language) => language === params.get('language')) ?? null,
    warnings: warningChoices.find((choice) => choice === params.get('warnings')) ?? null,
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

/** Returns the filter as arguments of the query `documentPage`. */
export function filterVariables(filter: DocumentFilter) {
  const { search, status, source, tag, type, language, warnings, order, page } = filter;
  return {
    search: search || null,
    status,
    sourceId: source || null,
    tag: tag || null,
    mimeType: type === null ? null : fileFormats[type].mimeType,
    language,
    hasWarnings: warnings === null ? null : warnings === 'with',
    order,
    page,
  };
}
