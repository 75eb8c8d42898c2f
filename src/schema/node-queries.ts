import { brandWithType } from '@pothos/core';
import { z } from 'zod';
import type { Context } from '../domain/context.ts';
import type { NodeType } from '../domain/nodes/find-node-location.ts';
import { getNode } from '../domain/nodes/get-node.ts';
import { DomainError } from '../platform/errors.ts';
import { builder } from './builder.ts';
import { fieldsSchema } from './input-rules.ts';
import { Node } from './node.ts';

const maxNodes = 20;

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description:
      'An object by its id, of any type that implements `Node`. NOT_FOUND if there is none or the caller may not read it.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => readNode(context, id),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'Objects by their ids, in the order of the ids. An item is null, with an error NOT_FOUND, if there is none or the caller may not read it.',
    args: {
      ids: t.arg.idList({ required: true, description: `At most ${maxNodes} ids.` }),
    },
    validate: fieldsSchema({
      ids: z.array(z.string()).max(maxNodes, `must have at most ${maxNodes} entries`),
    }),
    resolve: (_root, { ids }, context) =>
      Promise.all(ids.map((id) => readNodeOrError(context, id))),
  }),
}));

async function readNode(context: Context, id: string) {
  const { type, row } = await getNode(context, id);
  setType(row, type);
  return row;
}

/**
 * Declares the type of a row to Pothos. The cast is needed because Pothos knows Prisma types only by their references.
 */
function setType(row: object, type: NodeType): void {
  brandWithType(row, type as never);
}

/** Returns the error of an item instead of throwing it. GraphQL then reports the error at the position of the item. */
async function readNodeOrError(context: Context, id: string) {
  try {
    return await readNode(context, id);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return error as never;
    throw error;
  }
}
