import {
  type FigureComparison as Compared,
  type RunComparison as Comparison,
  compareEvaluations,
} from '../../domain/evaluation/compare-runs.ts';
import type { ChangedQuestion as Changed } from '../../domain/evaluation/read-changed-answers.ts';
import { builder } from '../builder.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { EvaluationResult } from './evaluation-result.ts';
import { EvaluationRun } from './evaluation-run.ts';

export const Verdict = builder.enumType('EvaluationVerdict', {
  description: 'Whether a figure differs by more than chance.',
  values: {
    BETTER: { description: 'The later one is better.' },
    WORSE: { description: 'The later one is worse.' },
    NO_DIFFERENCE: {
      description: 'The questions cannot show a difference, or fewer than ten of them differ.',
    },
  },
});

const FigureComparison = builder.objectRef<Compared>('FigureComparison').implement({
  description: 'A figure over the questions that both runs have answered.',
  fields: (t) => ({
    figure: t.exposeString('figure', { description: 'Name of a figure of `EvaluationFigures`.' }),
    n: t.exposeInt('n', { description: 'Number of questions that were compared.' }),
    before: t.exposeFloat('before', { description: 'Mean of the first run.' }),
    after: t.exposeFloat('after', { description: 'Mean of the other run.' }),
    low: t.exposeFloat('low', {
      description: 'Lower bound of the 95 % interval of the difference (paired bootstrap).',
    }),
    high: t.exposeFloat('high', { description: 'Upper bound of that interval.' }),
    verdict: t.expose('verdict', { type: Verdict }),
  }),
});

const ChangedQuestion = builder.objectRef<Changed>('ChangedQuestion').implement({
  description: 'A question that the two runs answered differently well.',
  fields: (t) => ({
    questionId: t.exposeID('questionId'),
    question: t.exposeString('question'),
    isBetter: t.exposeBoolean('isBetter', {
      nullable: true,
      description: 'Null if the other run is better in one respect and worse in another.',
    }),
    before: t.expose('before', { type: EvaluationResult }),
    after: t.expose('after', { type: EvaluationResult }),
  }),
});

const EvaluationComparison = builder.objectRef<Comparison>('EvaluationComparison').implement({
  description: 'Two runs, compared question by question.',
  fields: (t) => ({
    before: t.expose('before', { type: EvaluationRun }),
    after: t.expose('after', { type: EvaluationRun }),
    figures: t.field({ type: [FigureComparison], resolve: ({ figures }) => [...figures] }),
    changedCount: t.exposeInt('changedCount', {
      description: 'Number of questions that were answered differently well.',
    }),
    changed: t.field({
      type: [ChangedQuestion],
      description: 'The first 200 of them, with at most 1 MB of texts, in the order of the set.',
      resolve: ({ changed }) => [...changed],
    }),
  }),
});

builder.queryFields((t) => ({
  compareEvaluations: t.field({
    type: EvaluationComparison,
    description:
      'Compares a run with another run of the same project, over the questions that both have answered. Needs `EVALUATION_READ`.',
    args: {
      id: t.arg.id({ required: true, description: 'The first run.' }),
      otherId: t.arg.id({ required: true, description: 'The other run.' }),
      projectId: t.arg.id(expectedProject('run')),
    },
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => compareEvaluations(context, args),
  }),
}));
