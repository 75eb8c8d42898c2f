import {
  type Refusal,
  type RunChanges,
  type RunWarning,
  storedChanges,
} from '../../domain/sources/run-report.ts';
import { listSourceRuns, type SourceRun as Run } from '../../domain/sources/sources.ts';
import { syncSource } from '../../domain/sources/start-source-run.ts';
import { builder } from '../builder.ts';
import { fieldsSchema } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';

const SourceRefusal = builder.objectRef<Refusal>('SourceRefusal').implement({
  description: 'A page or a file that did not become a document, or that could not be read.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Address of the page, or path of the file.' }),
    reason: t.exposeString('reason', { description: 'Reason of the refusal, in English.' }),
  }),
});

const SourceWarning = builder.objectRef<RunWarning>('SourceWarning').implement({
  description: 'A page that was only partly read, or a place that was not read.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Address of the page, or of the place.' }),
    reason: t.exposeString('reason', {
      description: 'Names the part that was left out and the reason, in English.',
    }),
  }),
});

const SourceRunChanges = builder.objectRef<RunChanges>('SourceRunChanges').implement({
  description: 'Names of documents that a run has changed: the first 50 of each kind.',
  fields: (t) => ({
    added: t.exposeStringList('added', { description: 'Names of new documents.' }),
    changed: t.exposeStringList('changed', {
      description: 'Names of documents with new content.',
    }),
    removed: t.exposeStringList('removed', { description: 'Names of deleted documents.' }),
  }),
});

export const SourceRun = builder.objectRef<Run>('SourceRun').implement({
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
      description: 'The first 200 refused pages and files.',
      resolve: ({ refusals }) => refusals as Refusal[],
    }),
    warnings: t.field({
      type: [SourceWarning],
      description: 'Parts that were left out although the run has not failed: the first 200.',
      resolve: ({ warnings }) => warnings as RunWarning[],
    }),
    changes: t.field({
      type: SourceRunChanges,
      description:
        'Names of the documents that the run has changed. Empty for runs of older versions.',
      resolve: ({ changes }) => storedChanges(changes),
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the documents may differ from the source. Null if they do not.',
    }),
  }),
});

const SyncSourceInput = builder.inputType('SyncSourceInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(expectedProject('source')),
    confirmRemovals: t.boolean({
      description:
        'True: the run, or the one in progress, deletes all documents that are no longer in the source, however many. Default: false.',
    }),
  }),
});

const SourceRunPage = createPageType('SourceRunPage', SourceRun);

builder.queryFields((t) => ({
  sourceRunPage: t.field({
    type: SourceRunPage,
    description:
      'Runs of a source by page number, newest first. The latest 100 are kept. Needs `KNOWLEDGE_READ`.',
    args: {
      id: t.arg.id({ required: true }),
      projectId: t.arg.id(expectedProject('source')),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => listSourceRuns(context, args),
  }),
}));

builder.mutationFields((t) => ({
  syncSource: t.field({
    type: SourceRun,
    description:
      'Starts a run of the source, or returns the one in progress. Needs `KNOWLEDGE_WRITE`.',
    args: { input: t.arg({ type: SyncSourceInput, required: true }) },
    authScopes: { permission: 'knowledge:write' },
    resolve: (_root, { input }, context) => syncSource(context, input),
  }),
}));
