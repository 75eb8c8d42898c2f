import {
  type FigureBounds as Bounds,
  type FailedBound as Failed,
  highestBound,
} from '../../domain/evaluation/figure-bounds.ts';
import { type FigureName, figureNames, lowerIsBetter } from '../../domain/evaluation/figures.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalNumber } from '../input-rules.ts';

const boundDescription = (figure: FigureName) =>
  `${lowerIsBetter.has(figure) ? 'Highest' : 'Lowest'} value, ${highestBound(figure) === 1 ? '0 to 1' : 'at least 0'}.`;

export const FigureBounds = builder.objectRef<Bounds>('FigureBounds').implement({
  description:
    'The least good value that each figure may have. Null: the figure has no bound. `refusedWrongly`, `calibrationError`, the latencies and the tokens fail above their bound, the other figures below.',
  fields: (t) =>
    Object.fromEntries(
      figureNames.map((name) => [
        name,
        t.float({
          nullable: true,
          description: `${boundDescription(name)} Null: no bound.`,
          resolve: (bounds) => bounds[name] ?? null,
        }),
      ]),
    ) as Record<FigureName, ReturnType<typeof t.float>>,
});

export const figureBoundsSchema = fieldsSchema(
  Object.fromEntries(figureNames.map((name) => [name, optionalNumber(0, highestBound(name))])),
);

export const FigureBoundsInput = builder.inputType('FigureBoundsInput', {
  description:
    'The least good value that each figure may have. A figure without a bound, or without a value in a run, cannot fail.',
  fields: (t) =>
    Object.fromEntries(
      figureNames.map((name) => [name, t.float({ description: boundDescription(name) })]),
    ) as Record<FigureName, ReturnType<typeof t.float>>,
});

export const FailedBound = builder.objectRef<Failed>('FailedBound').implement({
  description: 'A figure that is worse than its bound.',
  fields: (t) => ({
    figure: t.exposeString('figure', { description: 'Name of a figure of `EvaluationFigures`.' }),
    bound: t.exposeFloat('bound'),
    value: t.exposeFloat('value', { description: 'Value of the figure in the run.' }),
  }),
});
