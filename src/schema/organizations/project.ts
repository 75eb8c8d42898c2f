import { encodeInboxCursor } from '../../domain/handoff/inbox-cursor.ts';
import {
  listApiKeysOf,
  listConversationsOf,
  listDocumentsOf,
  listHandoffsOf,
} from '../../domain/nested/nested-lists.ts';
import { storedBudget } from '../../domain/organizations/budget.ts';
import { storedBusinessHours } from '../../domain/organizations/business-hours.ts';
import { createProject, updateProject } from '../../domain/organizations/projects.ts';
import { requireProject } from '../../domain/organizations/require-project.ts';
import { findProjectWidget } from '../../domain/widget/widgets.ts';
import { builder } from '../builder.ts';
import { Conversation } from '../conversations/conversation.ts';
import { Handoff } from '../handoff/handoff.ts';
import {
  HandoffTargets,
  HandoffTargetsInput,
  handoffTargetsSchema,
  targetColumns,
} from '../handoff/handoff-targets.ts';
import { fieldsSchema, nonBlankText, optionalDateTime } from '../input-rules.ts';
import { Document } from '../knowledge/document.ts';
import { Node } from '../node.ts';
import { Widget } from '../widget.ts';
import { ApiKey } from './api-key.ts';
import {
  AssistantSettings,
  AssistantSettingsInput,
  assistantColumns,
  assistantSettingsSchema,
} from './assistant-settings.ts';
import { Budget, BudgetInput, budgetColumns, budgetSchema } from './budget.ts';
import {
  InstalledLanguageModel,
  installedModelOf,
  LanguageModelSettings,
  LanguageModelSettingsInput,
  languageModelColumns,
  languageModelSchema,
} from './language-model.ts';
import { OcrSettings, OcrSettingsInput, ocrColumns, ocrSchema } from './ocr-settings.ts';

export const Project = builder.prismaObject('Project', {
  description: 'An assistant with its own knowledge base, conversations and API keys.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    organizationId: t.exposeID('organizationId'),
    name: t.exposeString('name'),
    organization: t.relation('organization'),
    assistant: t.field({
      type: AssistantSettings,
      select: assistantColumns,
      resolve: (project) => ({ ...project, businessHours: storedBusinessHours(project) }),
    }),
    languageModel: t.field({
      type: LanguageModelSettings,
      select: languageModelColumns,
      resolve: (project) => ({
        temperature: project.chatTemperature,
        reasoningEffort: project.chatReasoningEffort,
        maxOutputTokens: project.chatMaxOutputTokens,
        contextChunks: project.chatContextChunks,
        contextTokens: project.chatContextTokens,
      }),
    }),
    installedLanguageModel: t.field({
      type: InstalledLanguageModel,
      nullable: true,
      description: 'The language model that writes the answers. Null for the built-in chat model.',
      resolve: (_project, _args, { models }) => installedModelOf(models.chat),
    }),
    ocr: t.field({
      type: OcrSettings,
      select: ocrColumns,
      resolve: ({ ocrMode, ocrLanguages, ocrPages }) => ({
        mode: ocrMode,
        languages: ocrLanguages,
        maxPages: ocrPages,
      }),
    }),
    handoffTargets: t.field({
      type: HandoffTargets,
      select: targetColumns,
      resolve: ({ firstReplyTargetMinutes, resolutionTargetMinutes }) => ({
        firstReplyMinutes: firstReplyTargetMinutes,
        resolutionMinutes: resolutionTargetMinutes,
      }),
    }),
    budget: t.field({
      type: Budget,
      nullable: true,
      description: 'What the project may cost in a month. Null: no budget.',
      select: budgetColumns,
      resolve: storedBudget,
    }),
    asksForSatisfaction: t.exposeBoolean('asksForSatisfaction', {
      description:
        'Whether the end user is asked for their satisfaction after an agent has resolved a handoff. Default: false.',
    }),
    inboxCursor: t.string({
      description:
        'Cursor of the latest inbox event. Read it before the list of handoffs and pass it to `handoffInbox` as `after`, so that no event is missed.',
      authScopes: { permission: 'conversations:read' },
      resolve: ({ inboxPosition }) => encodeInboxCursor(inboxPosition),
    }),
    documents: t.prismaConnection({
      type: Document,
      cursor: 'place',
      description: 'Documents, newest first.',
      authScopes: { permission: 'knowledge:read' },
      resolve: (query, project, _args, context) => listDocumentsOf(context, project, query),
    }),
    conversations: t.prismaConnection({
      type: Conversation,
      cursor: 'place',
      description: 'Conversations, latest message first.',
      authScopes: { permission: 'conversations:read' },
      resolve: (query, project, _args, context) => listConversationsOf(context, project, query),
    }),
    handoffs: t.prismaConnection({
      type: Handoff,
      cursor: 'place',
      description: 'Handoffs, latest request first.',
      authScopes: { permission: 'conversations:read' },
      resolve: (query, project, _args, context) => listHandoffsOf(context, project, query),
    }),
    apiKeys: t.prismaConnection({
      type: ApiKey,
      cursor: 'id',
      description: 'API keys of this project only, newest first. For owners and admins.',
      authScopes: { permission: 'organization:manage' },
      resolve: (query, project, _args, context) => listApiKeysOf(context, project, query),
    }),
    widget: t.field({
      type: Widget,
      nullable: true,
      description:
        'Chat widget for websites. Null until it is first configured. For owners and admins.',
      authScopes: { permission: 'organization:manage' },
      select: { organizationId: true, widget: true },
      resolve: (project, _args, context) => findProjectWidget(context, project),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const CreateProjectInput = builder.inputType('CreateProjectInput', {
  validate: fieldsSchema({ name: nonBlankText(200) }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    name: t.string({ required: true, description: 'Display name, 1 to 200 characters.' }),
  }),
});

const UpdateProjectInput = builder.inputType('UpdateProjectInput', {
  description: 'Changes to a project. Omitted fields stay unchanged.',
  validate: fieldsSchema({
    name: nonBlankText(200).nullish(),
    assistant: assistantSettingsSchema.nullish(),
    languageModel: languageModelSchema.nullish(),
    ocr: ocrSchema.nullish(),
    handoffTargets: handoffTargetsSchema.nullish(),
    budget: budgetSchema.nullish(),
    ifUpdatedAt: optionalDateTime,
  }),
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string({ description: 'Display name, 1 to 200 characters.' }),
    assistant: t.field({ type: AssistantSettingsInput }),
    languageModel: t.field({ type: LanguageModelSettingsInput }),
    ocr: t.field({ type: OcrSettingsInput }),
    handoffTargets: t.field({ type: HandoffTargetsInput }),
    budget: t.field({ type: BudgetInput, description: 'Null removes the budget.' }),
    asksForSatisfaction: t.boolean({
      description:
        'Whether the end user is asked for their satisfaction after an agent has resolved a handoff. If false, earlier ratings cannot be changed either.',
    }),
    isSetupHidden: t.boolean({
      description: 'Whether the dashboard no longer opens with the page "Get started".',
    }),
    keepsBuiltInModel: t.boolean({
      description:
        'Whether the built-in chat model is meant to stay, so that the step of the model is done.',
    }),
    ifUpdatedAt: t.field({
      type: 'DateTime',
      description:
        'The `updatedAt` that the caller read. If the project has changed since then, the update fails with CONFLICT.',
    }),
  }),
});

builder.queryFields((t) => ({
  project: t.prismaField({
    type: Project,
    nullable: true,
    description: 'A project that the caller may read, by id. NOT_FOUND if there is none.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: { permission: 'organization:read' },
    resolve: (query, _root, { id }, context) =>
      requireProject(context, id, 'organization:read', query),
  }),
}));

builder.mutationFields((t) => ({
  createProject: t.prismaField({
    type: Project,
    description: 'Creates a project in an organization. For owners and admins.',
    args: { input: t.arg({ type: CreateProjectInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => createProject(context, input),
  }),
  updateProject: t.prismaField({
    type: Project,
    description:
      'Changes the name, the assistant, the language model, OCR, the targets of handoffs, the question for satisfaction, the budget or the state of the setup of a project. For owners and admins.',
    args: { input: t.arg({ type: UpdateProjectInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateProject(context, input),
  }),
}));
