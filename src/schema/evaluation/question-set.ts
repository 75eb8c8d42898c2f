import {
  getQuestionSet,
  listQuestionSets,
  type QuestionSet as SetShape,
} from '../../domain/evaluation/question-sets.ts';
import { type SetSchedule as Schedule, scheduleOf } from '../../domain/evaluation/set-schedule.ts';
import { builder } from '../builder.ts';
import { fieldsSchema } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';
import { FigureBounds } from './figure-bounds.ts';

const SetSchedule = builder.objectRef<Schedule>('SetSchedule').implement({
  description: 'Interval of the runs of a set, and bounds for their figures.',
  fields: (t) => ({
    everyHours: t.exposeInt('everyHours', { description: 'Hours between two runs.' }),
    bounds: t.expose('bounds', { type: FigureBounds }),
    nextRunAt: t.expose('nextRunAt', { type: 'DateTime' }),
  }),
});

export const QuestionSet = builder.objectRef<SetShape>('QuestionSet').implement({
  description: 'Questions about the documents of a project, with what their answers must be.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    name: t.exposeString('name', {
      description: 'Name in lists and in `evaluation.regressed` events. It need not be unique.',
    }),
    version: t.exposeInt('version', {
      description: 'Version of the questions, from 1. Each change of the questions adds 1.',
    }),
    questionCount: t.exposeInt('questionCount', {
      description: 'Number of questions in the current version.',
    }),
    schedule: t.field({
      type: SetSchedule,
      nullable: true,
      description: 'Null: runs are started by hand only.',
      resolve: scheduleOf,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const QuestionSetPage = createPageType('QuestionSetPage', QuestionSet);

builder.queryFields((t) => ({
  questionSet: t.field({
    type: QuestionSet,
    description: 'A question set by id. Needs `EVALUATION_READ`.',
    args: { id: t.arg.id({ required: true }), projectId: t.arg.id(expectedProject('set')) },
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => getQuestionSet(context, args),
  }),
  questionSetPage: t.field({
    type: QuestionSetPage,
    description:
      'Question sets of a project by page number, newest first. Needs `EVALUATION_READ`.',
    args: { projectId: t.arg.id({ required: true }), ...pageArguments },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => listQuestionSets(context, args),
  }),
}));
