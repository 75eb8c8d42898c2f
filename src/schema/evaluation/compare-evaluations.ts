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
    BETTER: {
      description:
        'The run `after` is better than the run `before`. For a map: it is more accurate than the confidence.',
    },
    WORSE: {
      description:
        'The run `after` is worse than the run `before`. For a map: it is less accurate than the confidence.',
    },
    NO_DIFFERENCE: {
      description:
        'The questions cannot show a difference. Shares are judged by the exact test of McNemar, other figures by the 95 % interval, if at least ten questions differ.',
    },
    TOO_FEW: {
      description:
        'Fewer than ten questions were compared, which is too few to tell. A map never has it.',
    },
  },
});

const FigureComparison = builder.objectRef<Compared>('FigureComparison').implement({
  description:
    'A figure of two runs. Counts the questions that both runs answered and to which the figure applies.',
  fields: (t) => ({
    figure: t.exposeString('figure', { description: 'Name of a figure of `EvaluationFigures`.' }),
    n: t.exposeInt('n', { description: 'Number of questions that were compared.' }),
    before: t.exposeFloat('before', { description: 'Mean of the figure in the run `before`.' }),
    after: t.exposeFloat('after', { description: 'Mean of the figure in the run `after`.' }),
    low: t.exposeFloat('low', {
      description: 'Lower bound of the 95 % interval of the difference (paired bootstrap).',
    }),
    high: t.exposeFloat('high', {
      description: 'Upper bound of the 95 % interval of the difference (paired bootstrap).',
    }),
    verdict: t.expose('verdict', { type: Verdict }),
  }),
});

const ChangedQuestion = builder.objectRef<Changed>('ChangedQuestion').implement({
  description: 'A question whose answers were judged differently in the two runs.',
  fields: (t) => ({
    questionId: t.exposeID('questionId'),
    question: t.exposeString('question'),
    isBetter: t.exposeBoolean('isBetter', {
      nullable: true,
      description:
        'Whether the answer of the run `after` is better. Null if it is better in one respect and worse in another.',
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
      description: 'Number of questions whose answers were judged differently.',
    }),
    changed: t.field({
      type: [ChangedQuestion],
      description:
        'The first 200 of these questions, with at most 1 MB of texts, in the order of the set.',
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
      id: t.arg.id({
        required: true,
        description: 'Run to compare with, for example before a change. It becomes `before`.',
      }),
      otherId: t.arg.id({
        required: true,
        description: 'Run to judge, for example after the change. It becomes `after`.',
      }),
      projectId: t.arg.id(expectedProject('run')),
    },
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => compareEvaluations(context, args),
  }),
}));
