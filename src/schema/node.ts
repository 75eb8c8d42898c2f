import { builder } from './builder.ts';

/** The interface of Relay. Ids are those of the rows, without the name of the type. */
export const Node = builder.interfaceRef<{ readonly id: string }>('Node').implement({
  description: 'An object that `node` returns by its id.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique in the whole service.' }),
  }),
});
