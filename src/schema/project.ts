import {
  type BusinessHours as Hours,
  storedBusinessHours,
} from '../domain/handoff/business-hours.ts';
import { inboxCursor } from '../domain/handoff/inbox-cursor.ts';
import {
  listApiKeysOf,
  listConversationsOf,
  listDocumentsOf,
  listHandoffsOf,
} from '../domain/organizations/nested-lists.ts';
import { createProject, updateProject } from '../domain/organizations/projects.ts';
import { requireProject } from '../domain/organizations/require-project.ts';
import { requireWidgetOf } from '../domain/widget/widgets.ts';
import { ApiKey } from './api-key.ts';
import { builder } from './builder.ts';
import { BusinessHours, BusinessHoursInput, businessHoursRules } from './business-hours.ts';
import { Conversation } from './conversation.ts';
import { Document } from './document.ts';
import { Handoff } from './handoff.ts';
import { moment, optionalText, rules, text } from './text-rules.ts';
import { Widget } from './widget.ts';

const AssistantSettings = builder.objectRef<{
  instructions: string | null;
  fallbackText: string | null;
  holdingText: string | null;
  outOfHoursText: string | null;
  businessHours: Hours | null;
}>('AssistantSettings');

AssistantSettings.implement({
  description: 'How the assistant of a project speaks. Null stands for the default.',
  fields: (t) => ({
    instructions: t.exposeString('instructions', {
      nullable: true,
      description: 'Told to the model beside the rules of grounding.',
    }),
    fallbackText: t.exposeString('fallbackText', {
      nullable: true,
      description: 'Said when the knowledge does not hold the answer.',
    }),
    holdingText: t.exposeString('holdingText', {
      nullable: true,
      description: 'Said while a human has the conversation.',
    }),
    outOfHoursText: t.exposeString('outOfHoursText', {
      nullable: true,
      description: 'Said in its place outside of the business hours.',
    }),
    businessHours: t.expose('businessHours', {
      type: BusinessHours,
      nullable: true,
      description: 'When the team is there. Null stands for always.',
    }),
  }),
});

export const Project = builder.prismaObject('Project', {
  description: 'An assistant with its own knowledge, conversations and keys.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the project.' }),
    organizationId: t.exposeID('organizationId', { description: 'Who owns it.' }),
    name: t.exposeString('name', { description: 'For people to read.' }),
    organization: t.relation('organization', { description: 'Who owns it.' }),
    assistant: t.field({
      type: AssistantSettings,
      description: 'How its assistant speaks.',
      select: {
        instructions: true,
        fallbackText: true,
        holdingText: true,
        outOfHoursText: true,
        businessHours: true,
      },
      resolve: (project) => ({ ...project, businessHours: storedBusinessHours(project) }),
    }),
    inboxCursor: t.string({
      description:
        'Of what has happened last in the inbox. Read before anything else, and given to `handoffInbox` as `after`, it lets nothing slip between.',
      authScopes: { permission: 'conversations:read' },
      select: { inboxPosition: true },
      resolve: ({ inboxPosition }) => inboxCursor(inboxPosition),
    }),
    documents: t.prismaConnection({
      type: Document,
      cursor: 'id',
      description: 'Newest first.',
      authScopes: { permission: 'knowledge:read' },
      resolve: (query, project, _args, context) => listDocumentsOf(context, project, query),
    }),
    conversations: t.prismaConnection({
      type: Conversation,
      cursor: 'id',
      description: 'That of the newest message first.',
      authScopes: { permission: 'conversations:read' },
      resolve: (query, project, _args, context) => listConversationsOf(context, project, query),
    }),
    handoffs: t.prismaConnection({
      type: Handoff,
      cursor: 'id',
      description: 'The latest request first.',
      authScopes: { permission: 'conversations:read' },
      resolve: (query, project, _args, context) => listHandoffsOf(context, project, query),
    }),
    apiKeys: t.prismaConnection({
      type: ApiKey,
      cursor: 'id',
      description: 'Keys of this project alone, newest first.',
      authScopes: { permission: 'organization:manage' },
      resolve: (query, project, _args, context) => listApiKeysOf(context, project, query),
    }),
    widget: t.field({
      type: Widget,
      nullable: true,
      description: 'Its chat on web sites. Null until it is first changed.',
      authScopes: { permission: 'organization:manage' },
      select: { organizationId: true, widget: true },
      resolve: (project, _args, context) => requireWidgetOf(context, project),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const AssistantSettingsInput = builder.inputType('AssistantSettingsInput', {
  description: 'What is left out stays as it is; null goes back to the default.',
  fields: (t) => ({
    instructions: t.string({ description: 'At most 8,000 characters.' }),
    fallbackText: t.string({ description: 'At most 2,000 characters.' }),
    holdingText: t.string({ description: 'At most 2,000 characters.' }),
    outOfHoursText: t.string({ description: 'At most 2,000 characters.' }),
    businessHours: t.field({ type: BusinessHoursInput, description: 'When the team is there.' }),
  }),
});

const assistantRules = rules({
  instructions: optionalText(8000),
  fallbackText: optionalText(2000),
  holdingText: optionalText(2000),
  outOfHoursText: optionalText(2000),
  businessHours: businessHoursRules.nullish(),
});

const CreateProjectInput = builder.inputType('CreateProjectInput', {
  description: 'A project to be made.',
  validate: rules({ name: text(200) }),
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Who is to own it.' }),
    name: t.string({ required: true, description: 'At most 200 characters.' }),
  }),
});

const UpdateProjectInput = builder.inputType('UpdateProjectInput', {
  description: 'What is left out stays as it is.',
  validate: rules({
    name: text(200).nullish(),
    assistant: assistantRules.nullish(),
    ifUpdatedAt: moment,
  }),
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the project.' }),
    name: t.string({ description: 'At most 200 characters.' }),
    assistant: t.field({
      type: AssistantSettingsInput,
      description: 'How its assistant is to speak.',
    }),
    ifUpdatedAt: t.field({
      type: 'DateTime',
      description:
        'The `updatedAt` of the project as it was read: what somebody else has changed meanwhile is not overwritten.',
    }),
  }),
});

builder.queryFields((t) => ({
  project: t.prismaField({
    type: Project,
    nullable: true,
    description: 'A project of the caller.',
    args: { id: t.arg.id({ required: true, description: 'The project.' }) },
    authScopes: { permission: 'organization:read' },
    resolve: (query, _root, { id }, context) =>
      requireProject(context, id, 'organization:read', query),
  }),
}));

builder.mutationFields((t) => ({
  createProject: t.prismaField({
    type: Project,
    description: 'Makes a project in an organization.',
    args: {
      input: t.arg({ type: CreateProjectInput, required: true, description: 'The project.' }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => createProject(context, input),
  }),
  updateProject: t.prismaField({
    type: Project,
    description: "Changes a project's name or its assistant.",
    args: {
      input: t.arg({ type: UpdateProjectInput, required: true, description: 'What is to change.' }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateProject(context, input),
  }),
}));
