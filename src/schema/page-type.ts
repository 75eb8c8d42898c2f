import type { OutputRef } from '@pothos/core';
import type { Page } from '../domain/offset-pagination.ts';
import { builder } from './builder.ts';
import { optionalInteger } from './input-rules.ts';

/** Creates the GraphQL type of a page with items of type `item`, for lists that are paginated by page number. */
export function createPageType<Item>(name: string, item: OutputRef<Item>) {
  return builder.objectRef<Page<Item>>(name).implement({
    description: 'A page of a list by page number.',
    fields: (t) => ({
      data: t.field({ type: [item], resolve: (page) => [...page.data] }),
      page: t.exposeInt('page', { description: 'Page number, from 1.' }),
      limit: t.exposeInt('limit', { description: 'Maximum number of items per page.' }),
      total: t.exposeInt('total', { description: 'Number of items on all pages.' }),
      totalPages: t.exposeInt('totalPages'),
      hasMore: t.exposeBoolean('hasMore', { description: 'Whether a further page exists.' }),
    }),
  });
}

/** Arguments that select a page by number, for lists whose type is from `createPageType`. */
export const pageArguments = builder.args((t) => ({
  page: t.int({ required: true, defaultValue: 1, description: 'Page number, 1 to 1,000,000.' }),
  limit: t.int({ required: true, defaultValue: 20, description: 'Page size, 1 to 100.' }),
}));

export const pageArgumentSchemas = {
  page: optionalInteger(1, 1_000_000),
  limit: optionalInteger(1, 100),
};
