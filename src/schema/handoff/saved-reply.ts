import {
  createSavedReply,
  deleteSavedReply,
  listSavedReplies,
  type SavedReply as Shape,
  updateSavedReply,
} from '../../domain/handoff/saved-replies.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, nonBlankText, printableName } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';

const nameSchema = printableName(60);
const contentSchema = nonBlankText(4_000).refine(
  (content) => unknownPlaceholder(content) === undefined,
  {
    error: ({ input }) =>
      `contains ${unknownPlaceholder(String(input))}, but the only placeholders are {{visitor}} and {{agent}}`,
  },
);
const nameDescription =
  'Short name, 1 to 60 printable characters, unique in the project (case-insensitive).';
const contentDescription =
  "Text, 1 to 4,000 characters. The dashboard replaces `{{visitor}}` with the end user's name and `{{agent}}` with the agent's display name, or removes them if the name is unknown. Other placeholders are refused.";

/** Returns the first text in `{{` and `}}` that the dashboard would not replace. */
function unknownPlaceholder(content: string): string | undefined {
  const found = content.match(/\{\{[^{}\n]{0,60}\}\}/g) ?? [];
  return found.find((placeholder) => !['{{visitor}}', '{{agent}}'].includes(placeholder));
}

const SavedReply = builder.objectRef<Shape>('SavedReply').implement({
  description: 'A text that agents insert into their replies.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    name: t.exposeString('name', { description: nameDescription }),
    content: t.exposeString('content', { description: contentDescription }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const CreateSavedReplyInput = builder.inputType('CreateSavedReplyInput', {
  validate: fieldsSchema({ name: nameSchema, content: contentSchema }),
  fields: (t) => ({
    projectId: t.id({ required: true }),
    name: t.string({ required: true, description: nameDescription }),
    content: t.string({ required: true, description: contentDescription }),
  }),
});

const UpdateSavedReplyInput = builder.inputType('UpdateSavedReplyInput', {
  description: 'Changes to a saved reply. Omitted fields stay unchanged.',
  validate: fieldsSchema({ name: nameSchema.nullish(), content: contentSchema.nullish() }),
  fields: (t) => ({
    savedReplyId: t.id({ required: true }),
    projectId: t.id(expectedProject('saved reply')),
    name: t.string({ description: nameDescription }),
    content: t.string({ description: contentDescription }),
  }),
});

const DeleteSavedReplyInput = builder.inputType('DeleteSavedReplyInput', {
  fields: (t) => ({
    savedReplyId: t.id({ required: true }),
    projectId: t.id(expectedProject('saved reply')),
  }),
});

builder.queryField('savedReplies', (t) =>
  t.field({
    type: [SavedReply],
    description: 'All saved replies of a project, sorted by name, at most 200. For agents.',
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, args, context) => listSavedReplies(context, args),
  }),
);

builder.mutationFields((t) => ({
  createSavedReply: t.field({
    type: SavedReply,
    description:
      'Adds a saved reply to a project. For owners and admins. CONFLICT if the name is taken or the project has 200.',
    args: { input: t.arg({ type: CreateSavedReplyInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => createSavedReply(context, input),
  }),
  updateSavedReply: t.field({
    type: SavedReply,
    description: 'Changes a saved reply. For owners and admins. CONFLICT if the name is taken.',
    args: { input: t.arg({ type: UpdateSavedReplyInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => updateSavedReply(context, input),
  }),
  deleteSavedReply: t.field({
    type: SavedReply,
    description:
      'Deletes a saved reply and returns it as it was. For owners and admins. Replies that were sent with it stay.',
    args: { input: t.arg({ type: DeleteSavedReplyInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => deleteSavedReply(context, input),
  }),
}));
