import {
  findEarlierDuplicate,
  keepDuplicate,
  replaceDuplicate,
} from '../../domain/knowledge/duplicates.ts';
import { builder } from '../builder.ts';
import { Document } from './document.ts';

const KeepDuplicateInput = duplicateInput('KeepDuplicateInput');
const ReplaceDuplicateInput = duplicateInput('ReplaceDuplicateInput');

function duplicateInput(name: string) {
  return builder.inputType(name, {
    fields: (t) => ({
      projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
      documentId: t.id({
        required: true,
        description: 'The newer document, which has an `earlierDuplicate`.',
      }),
    }),
  });
}

builder.objectField(Document, 'earlierDuplicate', (t) =>
  t.field({
    type: Document,
    nullable: true,
    description:
      "The project's first document with the same content, if it is older than this one. Null if there is none, after `keepDuplicate`, and for documents of a source or with an `externalId`.",
    authScopes: { permission: 'knowledge:read' },
    resolve: (document, _args, context) => findEarlierDuplicate(context, document),
  }),
);

builder.mutationFields((t) => ({
  keepDuplicate: t.prismaField({
    type: Document,
    description:
      'Keeps a document although an earlier one has the same content, so that `earlierDuplicate` becomes null. Holds until its content is replaced.',
    args: { input: t.arg({ type: KeepDuplicateInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => keepDuplicate(context, input),
  }),
  replaceDuplicate: t.prismaField({
    type: Document,
    description:
      'Gives name and type of a document to its `earlierDuplicate`, and then deletes the document. The earlier one keeps its id and details. Returns the earlier one. CONFLICT if there is none, or a source keeps it up to date.',
    args: { input: t.arg({ type: ReplaceDuplicateInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_query, _root, { input }, context) => replaceDuplicate(context, input),
  }),
}));
