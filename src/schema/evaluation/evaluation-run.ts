import { type Agreement, getAgreement } from '../../domain/evaluation/agreement.ts';
import {
  cancelEvaluation,
  figuresOf,
  getEvaluation,
  listEvaluations,
  type EvaluationRun as Run,
  storedFailedBounds,
} from '../../domain/evaluation/evaluation-runs.ts';
import { storedBounds } from '../../domain/evaluation/set-schedule.ts';
import { EvaluationStatus as Statuses } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { idInput } from '../id-input.ts';
import { fieldsSchema } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';
import { EvaluationFigures } from './evaluation-figures.ts';
import { FailedBound, FigureBounds } from './figure-bounds.ts';

const EvaluationStatus = builder.enumType('EvaluationStatus', {
  description: 'State of an evaluation run.',
  values: {
    [Statuses.QUEUED]: { description: 'The run has not started yet.' },
    [Statuses.RUNNING]: { description: 'Questions are being asked.' },
    [Statuses.DONE]: { description: 'All questions were asked, and the figures are known.' },
    [Statuses.FAILED]: { description: 'The run stopped because of an error.' },
    [Statuses.CANCELLED]: { description: 'The run was cancelled.' },
  },
});

const EvaluationProgress = builder
  .objectRef<{ readonly done: number; readonly total: number }>('EvaluationProgress')
  .implement({
    description: 'Progress of a run.',
    fields: (t) => ({
      done: t.exposeInt('done', {
        description: 'Questions asked so far, including those without an answer.',
      }),
      total: t.exposeInt('total', { description: 'Questions of the set when the run started.' }),
    }),
  });

const EvaluationAgreement = builder.objectRef<Agreement>('EvaluationAgreement').implement({
  description:
    'Agreement of the verdicts of the language model with the marks of people. Refusals do not count, because code decides about them.',
  fields: (t) => ({
    n: t.exposeInt('n', { description: 'Number of answers with a verdict and a mark.' }),
    share: t.exposeFloat('share', {
      description: 'Share of the `n` answers whose verdict and mark are the same, 0 to 1.',
    }),
    low: t.exposeFloat('low', {
      description: 'Lower bound of the 95 % interval of `share` (Wilson).',
    }),
    high: t.exposeFloat('high', {
      description: 'Upper bound of the 95 % interval of `share` (Wilson).',
    }),
    kappa: t.exposeFloat('kappa', {
      nullable: true,
      description:
        "Cohen's kappa: 1 for full agreement, 0 for agreement by chance. Null if all verdicts and marks are the same.",
    }),
  }),
});

export const EvaluationRun = builder.objectRef<Run>('EvaluationRun').implement({
  description: 'A run asks the questions of a set and judges the answers.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    setId: t.exposeID('setId'),
    setVersion: t.exposeInt('setVersion', { description: 'Version of the set that the run asks.' }),
    status: t.expose('status', { type: EvaluationStatus }),
    candidate: t.field({
      type: 'JSON',
      description:
        'Settings that the run tries instead of those of the project. Empty if it tries none.',
      resolve: ({ candidate }) => candidate as object,
    }),
    progress: t.field({
      type: EvaluationProgress,
      resolve: ({ done, total }) => ({ done, total }),
    }),
    figures: t.field({
      type: EvaluationFigures,
      nullable: true,
      description: 'Null unless the run is done.',
      resolve: figuresOf,
    }),
    judgeModel: t.exposeString('judgeModel', {
      nullable: true,
      description:
        'Name of the language model that also judges the answers. Null: only code judges.',
    }),
    agreement: t.field({
      type: EvaluationAgreement,
      nullable: true,
      description: 'Null without an answer that has a verdict and a mark.',
      resolve: (run, _args, context) => getAgreement(context, run),
    }),
    isScheduled: t.exposeBoolean('isScheduled', {
      description: 'Whether the schedule of the set has started the run.',
    }),
    bounds: t.field({
      type: FigureBounds,
      description: 'Bounds of the schedule when it started the run.',
      resolve: storedBounds,
    }),
    failedBounds: t.field({
      type: [FailedBound],
      nullable: true,
      description: 'Figures that are worse than their bounds. Null unless the run is done.',
      resolve: storedFailedBounds,
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why the run has failed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
  }),
});

const EvaluationRunPage = createPageType('EvaluationRunPage', EvaluationRun);

const CancelEvaluationInput = idInput('CancelEvaluationInput', 'run');

builder.queryFields((t) => ({
  evaluationRun: t.field({
    type: EvaluationRun,
    description: 'An evaluation run by id. Needs `EVALUATION_READ`.',
    args: { id: t.arg.id({ required: true }), projectId: t.arg.id(expectedProject('run')) },
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => getEvaluation(context, args),
  }),
  evaluationRunPage: t.field({
    type: EvaluationRunPage,
    description:
      'Evaluation runs of a project by page number, newest first. The latest 100 of each set are kept. Needs `EVALUATION_READ`.',
    args: {
      projectId: t.arg.id({ required: true }),
      setId: t.arg.id({ description: 'Only runs of this set. Default: of all sets.' }),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listEvaluations(context, args),
  }),
}));

builder.mutationFields((t) => ({
  cancelEvaluation: t.field({
    type: EvaluationRun,
    description:
      'Cancels a run that has not finished. Its results are kept. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: CancelEvaluationInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => cancelEvaluation(context, input),
  }),
}));
