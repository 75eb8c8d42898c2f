import { configOf } from '../../domain/sources/connectors.ts';
import { countDocumentsOf } from '../../domain/sources/count-documents.ts';
import {
  createSource,
  deleteSource,
  getSource,
  listSources,
  type SourceWithRun,
  sourceStatuses,
  statusOf,
  updateSource,
} from '../../domain/sources/sources.ts';
import { SourceKind as Kinds } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { idInput } from '../id-input.ts';
import { fieldsSchema, nonBlankText, optionalText } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';
import { SourceConfig, SourceConfigInput } from './source-config.ts';
import { SourceRun } from './source-run.ts';

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
    documentCount: t.field({
      type: 'Int',
      description: 'Number of its documents, of any status.',
      resolve: (source, _args, context) => countDocumentsOf(context, source),
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
    projectId: t.id(expectedProject('source')),
    name: t.string({ description: '1 to 255 characters.' }),
    config: t.field({ type: SourceConfigInput }),
    schedule: t.string({ description: 'Cron expression in UTC. Empty: no schedule.' }),
    isPaused: t.boolean({ description: 'True pauses the source. False resumes it.' }),
    confirmsRemovals: t.boolean({ description: confirmsRemovals }),
  }),
});

const DeleteSourceInput = idInput('DeleteSourceInput', 'source');

const SourcePage = createPageType('SourcePage', Source);

builder.queryFields((t) => ({
  source: t.field({
    type: Source,
    description: 'A source by id. Needs `KNOWLEDGE_READ`.',
    args: {
      id: t.arg.id({ required: true }),
      projectId: t.arg.id(expectedProject('source')),
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
}));
