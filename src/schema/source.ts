import { configOf } from '../domain/sources/connectors.ts';
import type { Refusal, RunWarning } from '../domain/sources/run-report.ts';
import {
  createSource,
  deleteSource,
  getSource,
  listSourceRuns,
  listSources,
  type SourceRun as Run,
  type SourceWithRun,
  sourceStatuses,
  statusOf,
  updateSource,
} from '../domain/sources/sources.ts';
import { syncSource } from '../domain/sources/start-source-run.ts';
import { SourceKind as Kinds } from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { fieldsSchema, nonBlankText, optionalText } from './input-rules.ts';
import { Node } from './node.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from './page-type.ts';
import { SourceConfig, SourceConfigInput } from './source-config.ts';

const SourceKind = builder.enumType('SourceKind', {
  description: 'System from which a source reads documents.',
  values: {
    [Kinds.WEBSITE]: { description: 'The pages of a website.' },
    [Kinds.GIT]: { description: 'The files of a branch of a Git repository.' },
    [Kinds.S3]: { description: 'The objects of a bucket of Amazon S3 or a compatible server.' },
    [Kinds.NOTION]: { description: 'The pages and databases of a Notion workspace.' },
  },
});

const SourceStatus = builder.enumType('SourceStatus', {
  description:
    'State of a source: `RUNNING` while it is read, `FAILED` if the last run was incomplete, `PAUSED` if an operator paused it.',
  values: sourceStatuses,
});

const SourceRefusal = builder.objectRef<Refusal>('SourceRefusal').implement({
  description: 'A page or a file that did not become a document, or that could not be read.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Address of the page, or path of the file.' }),
    reason: t.exposeString('reason', { description: 'Reason of the refusal, in English.' }),
  }),
});

const SourceWarning = builder.objectRef<RunWarning>('SourceWarning').implement({
  description: 'A page of whose content a part was left out, or a place that was not read.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Address of the page, or of the place.' }),
    reason: t.exposeString('reason', {
      description: 'Names the part that was left out and the reason, in English.',
    }),
  }),
});

const SourceRun = builder.objectRef<Run>('SourceRun').implement({
  description: 'A run: reads the source and updates its documents.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    sourceId: t.exposeID('sourceId'),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null while the run is in progress.',
    }),
    fetched: t.exposeInt('fetched', {
      description: 'Number of pages and files that were requested.',
    }),
    added: t.exposeInt('added', { description: 'Number of new documents.' }),
    changed: t.exposeInt('changed', { description: 'Number of documents with new content.' }),
    removed: t.exposeInt('removed', { description: 'Number of deleted documents.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Number of documents without a change.' }),
    refused: t.exposeInt('refused', {
      description: 'Number of pages and files that did not become documents, or could not be read.',
    }),
    heldRemovals: t.exposeInt('heldRemovals', {
      description:
        'Number of documents that are no longer in the source, and that the run has kept because they are a large part of it: confirm their deletion with `syncSource`.',
    }),
    refusals: t.field({
      type: [SourceRefusal],
      description: 'The first 200 of them.',
      resolve: ({ refusals }) => refusals as Refusal[],
    }),
    warnings: t.field({
      type: [SourceWarning],
      description: 'Parts that were left out although the run has not failed: the first 200.',
      resolve: ({ warnings }) => warnings as RunWarning[],
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the documents may differ from the source. Null if they do not.',
    }),
  }),
});

const confirmsRemovals =
  'Whether a run that would delete more than a third of the documents, and more than five, keeps them until the deletion is confirmed.';

const Source = builder.objectRef<SourceWithRun>('Source').implement({
  description: 'A place that documents are read from, and kept equal to.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    kind: t.expose('kind', { type: SourceKind }),
    name: t.exposeString('name'),
    config: t.field({ type: SourceConfig, resolve: configOf }),
    schedule: t.exposeString('schedule', {
      nullable: true,
      description: 'Cron expression in UTC. Null: the source is read on request only.',
    }),
    confirmsRemovals: t.exposeBoolean('confirmsRemovals', { description: confirmsRemovals }),
    status: t.field({ type: SourceStatus, resolve: statusOf }),
    lastRun: t.field({
      type: SourceRun,
      nullable: true,
      description: 'The latest run, which may be in progress. Null before the first run.',
      resolve: ({ runs }) => runs[0] ?? null,
    }),
    nextRunAt: t.expose('nextRunAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null without a schedule, and while the source is paused.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const nameSchema = nonBlankText(255);
const scheduleSchema = optionalText(100);

const CreateSourceInput = builder.inputType('CreateSourceInput', {
  validate: fieldsSchema({ name: nameSchema, schedule: scheduleSchema }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be omitted with a project-scoped API key.' }),
    kind: t.field({ type: SourceKind, required: true }),
    name: t.string({ required: true, description: '1 to 255 characters.' }),
    config: t.field({ type: SourceConfigInput, required: true }),
    schedule: t.string({
      description: 'Cron expression with five fields, in UTC, such as `0 3 * * *`. Default: none.',
    }),
    confirmsRemovals: t.boolean({ description: `${confirmsRemovals} Default: true.` }),
  }),
});

const UpdateSourceInput = builder.inputType('UpdateSourceInput', {
  description: 'Changes to a source. Omitted fields stay unchanged.',
  validate: fieldsSchema({ name: nameSchema.nullish(), schedule: scheduleSchema }),
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id({
      description: 'Project that the source must belong to. Default: any project of the caller.',
    }),
    name: t.string({ description: '1 to 255 characters.' }),
    config: t.field({ type: SourceConfigInput }),
    schedule: t.string({ description: 'Cron expression in UTC. Empty: no schedule.' }),
    isPaused: t.boolean({ description: 'True pauses the source. False resumes it.' }),
    confirmsRemovals: t.boolean({ description: confirmsRemovals }),
  }),
});

const DeleteSourceInput = builder.inputType('DeleteSourceInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id({
      description: 'Project that the source must belong to. Default: any project of the caller.',
    }),
  }),
});

const SyncSourceInput = builder.inputType('SyncSourceInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id({
      description: 'Project that the source must belong to. Default: any project of the caller.',
    }),
    confirmRemovals: t.boolean({
      description:
        'True: the run, or the one in progress, deletes all documents that are no longer in the source, however many. Default: false.',
    }),
  }),
});

const SourcePage = createPageType('SourcePage', Source);
const SourceRunPage = createPageType('SourceRunPage', SourceRun);

builder.queryFields((t) => ({
  source: t.field({
    type: Source,
    description: 'A source by id. Needs `KNOWLEDGE_READ`.',
    args: {
      id: t.arg.id({ required: true }),
      projectId: t.arg.id({
        description: 'Project that the source must belong to. Default: any project of the caller.',
      }),
    },
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => getSource(context, args),
  }),
  sourcePage: t.field({
    type: SourcePage,
    description: 'Sources of a project by page number, newest first. Needs `KNOWLEDGE_READ`.',
    args: { projectId: t.arg.id({ required: true }), ...pageArguments },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => listSources(context, args),
  }),
  sourceRunPage: t.field({
    type: SourceRunPage,
    description:
      'Runs of a source by page number, newest first. The latest 100 are kept. Needs `KNOWLEDGE_READ`.',
    args: {
      id: t.arg.id({ required: true }),
      projectId: t.arg.id({
        description: 'Project that the source must belong to. Default: any project of the caller.',
      }),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => listSourceRuns(context, args),
  }),
}));

builder.mutationFields((t) => ({
  createSource: t.field({
    type: Source,
    description:
      'Creates a source: a website, a Git repository, an S3 bucket or a Notion workspace. Its pages or files become documents and follow its changes. The first run starts on schedule, or with `syncSource`. At most 50 per project. Needs `KNOWLEDGE_WRITE`.',
    args: { input: t.arg({ type: CreateSourceInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => createSource(context, input),
  }),
  updateSource: t.field({
    type: Source,
    description: 'Changes, pauses or resumes a source. Needs `KNOWLEDGE_WRITE`.',
    args: { input: t.arg({ type: UpdateSourceInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => updateSource(context, input),
  }),
  deleteSource: t.field({
    type: Source,
    description: 'Deletes a source and its documents, and stops its run. Needs `KNOWLEDGE_WRITE`.',
    args: { input: t.arg({ type: DeleteSourceInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => deleteSource(context, input),
  }),
  syncSource: t.field({
    type: SourceRun,
    description:
      'Starts a run of the source, or returns the one in progress. Needs `KNOWLEDGE_WRITE`.',
    args: { input: t.arg({ type: SyncSourceInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => syncSource(context, input),
  }),
}));
