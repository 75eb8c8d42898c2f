import {
  addConversationLabel,
  removeConversationLabel,
} from '../../domain/handoff/conversation-labels.ts';
import {
  createLabel,
  deleteLabel,
  listLabels,
  type Label as Shape,
  updateLabel,
} from '../../domain/labels/labels.ts';
import { LabelColor as Colors } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, printableName } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';

const nameSchema = printableName(40);
const nameDescription =
  'Name, 1 to 40 printable characters, unique in the project (case-insensitive).';

const LabelColor = builder.enumType('LabelColor', {
  description: 'Color of a label in the dashboard, next to its name.',
  values: Object.values(Colors),
});

export const Label = builder.objectRef<Shape>('Label').implement({
  description:
    'A word that the team puts on conversations. End users, models and webhooks never receive it.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    name: t.exposeString('name', { description: nameDescription }),
    color: t.expose('color', { type: LabelColor }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const CreateLabelInput = builder.inputType('CreateLabelInput', {
  validate: fieldsSchema({ name: nameSchema }),
  fields: (t) => ({
    projectId: t.id({ required: true }),
    name: t.string({ required: true, description: nameDescription }),
    color: t.field({ type: LabelColor, description: 'Color in the dashboard. Default: GRAY.' }),
  }),
});

const UpdateLabelInput = builder.inputType('UpdateLabelInput', {
  description: 'Changes to a label. Omitted fields stay unchanged.',
  validate: fieldsSchema({ name: nameSchema.nullish() }),
  fields: (t) => ({
    labelId: t.id({ required: true }),
    projectId: t.id(expectedProject('label')),
    name: t.string({ description: nameDescription }),
    color: t.field({ type: LabelColor }),
  }),
});

const DeleteLabelInput = builder.inputType('DeleteLabelInput', {
  fields: (t) => ({
    labelId: t.id({ required: true }),
    projectId: t.id(expectedProject('label')),
  }),
});

const AddConversationLabelInput = conversationLabelInput('AddConversationLabelInput');
const RemoveConversationLabelInput = conversationLabelInput('RemoveConversationLabelInput');

function conversationLabelInput(name: string) {
  return builder.inputType(name, {
    fields: (t) => ({
      conversationId: t.id({ required: true }),
      labelId: t.id({ required: true }),
      projectId: t.id(expectedProject('conversation')),
    }),
  });
}

builder.queryField('labels', (t) =>
  t.field({
    type: [Label],
    description: 'All labels of a project, sorted by name, at most 100.',
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'conversations:read' },
    resolve: (_root, args, context) => listLabels(context, args),
  }),
);

builder.mutationFields((t) => ({
  createLabel: t.field({
    type: Label,
    description:
      'Adds a label to a project. For owners and admins. CONFLICT if the name is taken or the project has 100.',
    args: { input: t.arg({ type: CreateLabelInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => createLabel(context, input),
  }),
  updateLabel: t.field({
    type: Label,
    description: 'Changes a label. For owners and admins. CONFLICT if the name is taken.',
    args: { input: t.arg({ type: UpdateLabelInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => updateLabel(context, input),
  }),
  deleteLabel: t.field({
    type: Label,
    description:
      'Deletes a label, also from all conversations, and returns it as it was. For owners and admins.',
    args: { input: t.arg({ type: DeleteLabelInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => deleteLabel(context, input),
  }),
  addConversationLabel: t.field({
    type: [Label],
    description:
      'Adds a label to a conversation, and returns all its labels, sorted by name. For agents. A label that it has already changes nothing. CONFLICT if it has 20 others.',
    args: { input: t.arg({ type: AddConversationLabelInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, { input }, context) => addConversationLabel(context, input),
  }),
  removeConversationLabel: t.field({
    type: [Label],
    description:
      'Removes a label from a conversation, and returns the remaining ones, sorted by name. For agents. A label that it does not have changes nothing.',
    args: { input: t.arg({ type: RemoveConversationLabelInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, { input }, context) => removeConversationLabel(context, input),
  }),
}));
