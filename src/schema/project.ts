import { createProject, updateProject } from '../domain/organizations/projects.ts';
import { requireProject } from '../domain/organizations/require-project.ts';
import { builder } from './builder.ts';
import { optionalText, rules, text } from './text-rules.ts';

const AssistantSettings = builder.objectRef<{
  instructions: string | null;
  fallbackText: string | null;
  holdingText: string | null;
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
  }),
});

const Project = builder.prismaObject('Project', {
  description: 'An assistant with its own knowledge, conversations and keys.',
  fields: (t) => ({
    id: t.exposeID('id'),
    organizationId: t.exposeID('organizationId'),
    name: t.exposeString('name'),
    organization: t.relation('organization'),
    assistant: t.field({
      type: AssistantSettings,
      select: { instructions: true, fallbackText: true, holdingText: true },
      resolve: (project) => project,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const AssistantSettingsInput = builder.inputType('AssistantSettingsInput', {
  description: 'What is left out stays as it is; null goes back to the default.',
  validate: rules({
    instructions: optionalText(8000),
    fallbackText: optionalText(2000),
    holdingText: optionalText(2000),
  }),
  fields: (t) => ({
    instructions: t.string(),
    fallbackText: t.string(),
    holdingText: t.string(),
  }),
});

const CreateProjectInput = builder.inputType('CreateProjectInput', {
  validate: rules({ name: text(200) }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    name: t.string({ required: true }),
  }),
});

const UpdateProjectInput = builder.inputType('UpdateProjectInput', {
  description: 'What is left out stays as it is.',
  validate: rules({ name: text(200).nullish() }),
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string(),
    assistant: t.field({ type: AssistantSettingsInput }),
  }),
});

builder.queryFields((t) => ({
  project: t.prismaField({
    type: Project,
    description: 'A project of the caller.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: { permission: 'organization:read' },
    resolve: (query, _root, { id }, context) =>
      requireProject(context, id, 'organization:read', query),
  }),
}));

builder.mutationFields((t) => ({
  createProject: t.prismaField({
    type: Project,
    description: 'Makes a project in an organization.',
    args: { input: t.arg({ type: CreateProjectInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => createProject(context, input),
  }),
  updateProject: t.prismaField({
    type: Project,
    description: "Changes a project's name or its assistant.",
    args: { input: t.arg({ type: UpdateProjectInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateProject(context, input),
  }),
}));
