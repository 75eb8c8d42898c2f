import type { OutputRef } from '@pothos/core';
import type { Page } from '../domain/pages.ts';
import { builder } from './builder.ts';

/** The type of a page of `item`; `data` describes what is on it. */
export function pageOf<Item>(name: string, item: OutputRef<Item>, data: string) {
  return builder.objectRef<Page<Item>>(name).implement({
    description: 'A page counted from 1, as REST lists them.',
    fields: (t) => ({
      data: t.field({ type: [item], description: data, resolve: (page) => [...page.data] }),
      page: t.exposeInt('page', { description: 'Which page, from 1.' }),
      limit: t.exposeInt('limit', { description: 'How many a page holds.' }),
      total: t.exposeInt('total', { description: 'How many there are on all pages.' }),
      totalPages: t.exposeInt('totalPages', { description: 'How many pages there are.' }),
      hasMore: t.exposeBoolean('hasMore', { description: 'Whether a page follows.' }),
    }),
  });
}
