import { z } from 'zod';
import {
  createQuestionSet,
  deleteQuestionSet,
  updateQuestionSet,
} from '../../domain/evaluation/question-sets.ts';
import { maxEveryHours } from '../../domain/evaluation/set-schedule.ts';
import { builder } from '../builder.ts';
import { idInput } from '../id-input.ts';
import { fieldsSchema, integer, nonBlankText } from '../input-rules.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { FigureBoundsInput, figureBoundsSchema } from './figure-bounds.ts';
import { QuestionSet } from './question-set.ts';
import { questionsSchema, SetQuestionInput } from './set-question-input.ts';

const setName = nonBlankText(255);

const scheduleSchema = z
  .looseObject({ everyHours: integer(1, maxEveryHours), bounds: figureBoundsSchema.nullish() })
  .nullish();

const SetScheduleInput = builder.inputType('SetScheduleInput', {
  description:
    'Starts a run of the project as it is every so many hours, the first after that time. If a run is outside a bound, or fails, webhooks receive `evaluation.regressed`.',
  fields: (t) => ({
    everyHours: t.int({ required: true, description: 'Hours between two runs, 1 to 720.' }),
    bounds: t.field({ type: FigureBoundsInput, description: 'Default: no figure has a bound.' }),
  }),
});

const CreateQuestionSetInput = builder.inputType('CreateQuestionSetInput', {
  validate: fieldsSchema({
    name: setName,
    questions: questionsSchema.nullish(),
    schedule: scheduleSchema,
  }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be omitted with a project-scoped API key.' }),
    name: t.string({ required: true, description: '1 to 255 characters.' }),
    questions: t.field({ type: [SetQuestionInput], description: 'At most 10,000. Default: none.' }),
    schedule: t.field({
      type: SetScheduleInput,
      description: 'Default: runs are started by hand only.',
    }),
  }),
});

const UpdateQuestionSetInput = builder.inputType('UpdateQuestionSetInput', {
  description: 'Changes to a question set. Omitted fields stay unchanged.',
  validate: fieldsSchema({ name: setName.nullish(), schedule: scheduleSchema }),
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(expectedProject('set')),
    name: t.string({ description: '1 to 255 characters.' }),
    schedule: t.field({
      type: SetScheduleInput,
      description:
        'Replaces the schedule. If `everyHours` stays the same, so does the time of the next run. Null ends the schedule.',
    }),
  }),
});

const DeleteQuestionSetInput = idInput('DeleteQuestionSetInput', 'set');

builder.mutationFields((t) => ({
  createQuestionSet: t.field({
    type: QuestionSet,
    description: 'Creates a question set. A project has at most 100. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: CreateQuestionSetInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => createQuestionSet(context, input),
  }),
  updateQuestionSet: t.field({
    type: QuestionSet,
    description: 'Changes the name of a question set, or its schedule. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: UpdateQuestionSetInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => updateQuestionSet(context, input),
  }),
  deleteQuestionSet: t.field({
    type: QuestionSet,
    description: 'Deletes a question set with its questions and runs. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: DeleteQuestionSetInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => deleteQuestionSet(context, input),
  }),
}));
