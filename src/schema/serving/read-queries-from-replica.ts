import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../domain/context.ts';
import { operationContext } from '../../http/operation-context.ts';

/** Lets queries read from a replica. Changes the context object, because other plugins store values in it. */
export const readQueriesFromReplica: Plugin<Context> = {
  onExecute({ args: { contextValue, document, operationName } }) {
    const context = contextValue as Context;
    const { prisma, pool, db } = operationContext(context, document, operationName ?? undefined);
    Object.assign(context, { prisma, pool, db });
  },
};
