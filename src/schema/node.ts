import { builder } from './builder.ts';

/** Relay's `Node` interface. An id is the id of the row, without the name of the type. */
export const Node = builder.interfaceRef<{ readonly id: string }>('Node').implement({
  description: 'An object that `node` returns by its id.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique in the whole service.' }),
  }),
});
