import { getLatestRating } from '../../domain/handoff/latest-rating.ts';
import { listRatings } from '../../domain/handoff/list-ratings.ts';
import { rateHandoff } from '../../domain/handoff/rate-handoff.ts';
import { ratableUntil } from '../../domain/handoff/satisfaction-window.ts';
import {
  type SatisfactionFigures as Figures,
  getSatisfactionFigures,
} from '../../domain/usage/satisfaction-figures.ts';
import { builder } from '../builder.ts';
import { Conversation } from '../conversations/conversation.ts';
import { fieldsSchema, integer, optionalInteger, optionalText } from '../input-rules.ts';
import { dayRangeSchema, organizationDayRangeArgs } from '../usage/day-range.ts';
import { Handoff } from './handoff.ts';

const HandoffSatisfaction = builder.prismaObject('HandoffSatisfaction', {
  description:
    'The question how satisfied the end user was with the agent who resolved a handoff, and its answer.',
  fields: (t) => ({
    handoffId: t.exposeID('handoffId'),
    handoff: t.relation('handoff', { authScopes: { permission: 'conversations:read' } }),
    agent: t.exposeString('agent', {
      description:
        "Who resolved the handoff: the team member's e-mail address, `key:` and the name of an API key, or `service`.",
    }),
    rating: t.exposeInt('rating', {
      nullable: true,
      description: '1 (very dissatisfied) to 5 (very satisfied). Null until the end user answers.',
    }),
    comment: t.exposeString('comment', {
      nullable: true,
      description: 'Free-text comment of the end user. Null if none was given.',
    }),
    askedAt: t.expose('askedAt', {
      type: 'DateTime',
      description: 'Time when the handoff was resolved.',
    }),
    ratedAt: t.expose('ratedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the first rating. Null until the end user answers.',
    }),
    ratableUntil: t.field({
      type: 'DateTime',
      description:
        'End of the time for the rating: 14 days after the question. A given rating can be changed for 24 hours.',
      resolve: ratableUntil,
    }),
  }),
});

builder.prismaObjectField(Handoff, 'satisfaction', (t) =>
  t.relation('satisfaction', {
    type: HandoffSatisfaction,
    nullable: true,
    description:
      'The question for satisfaction. Null if the end user was not asked: the handoff is open, it was returned to the assistant, no agent had claimed it, or the project did not ask.',
  }),
);

builder.objectField(Conversation, 'latestRating', (t) =>
  t.field({
    type: HandoffSatisfaction,
    nullable: true,
    description:
      "The end user's latest rating of an agent in this conversation, also after it was reopened. Null if there is none.",
    authScopes: { permission: 'conversations:read' },
    resolve: (conversation, _args, context) => getLatestRating(context, conversation),
  }),
);

const RateHandoffInput = builder.inputType('RateHandoffInput', {
  validate: fieldsSchema({ rating: integer(1, 5), comment: optionalText(2000) }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    handoffId: t.id({ required: true }),
    rating: t.int({ required: true, description: '1 (very dissatisfied) to 5 (very satisfied).' }),
    comment: t.string({ description: 'Free-text comment, at most 2,000 characters.' }),
  }),
});

builder.mutationField('rateHandoff', (t) =>
  t.prismaField({
    type: HandoffSatisfaction,
    description:
      'Rates the agent who resolved a handoff, for chats of your own. Replaces a previous rating. CONFLICT if the end user was not asked, or the time is over. For API keys only.',
    args: { input: t.arg({ type: RateHandoffInput, required: true }) },
    authScopes: { permission: 'handoffs:rate' },
    resolve: (query, _root, { input }, context) => rateHandoff(context, input, query),
  }),
);

builder.queryField('handoffRatings', (t) =>
  t.prismaConnection({
    type: HandoffSatisfaction,
    cursor: 'place',
    description: "End users' ratings of the agents of a project, latest first.",
    args: {
      projectId: t.arg.id({ required: true }),
      minRating: t.arg.int({ description: 'Lowest rating, 1 to 5, inclusive.' }),
      maxRating: t.arg.int({ description: 'Highest rating, 1 to 5, inclusive.' }),
      agent: t.arg.string({
        description:
          'The agent who resolved the handoff, as in `HandoffSatisfaction.agent`, at most 254 characters.',
      }),
    },
    validate: fieldsSchema({
      minRating: optionalInteger(1, 5),
      maxRating: optionalInteger(1, 5),
      agent: optionalText(254),
    }),
    authScopes: { permission: 'conversations:read' },
    resolve: (query, _root, args, context) => listRatings(context, args, query),
  }),
);

const SatisfactionFigures = builder.objectRef<Figures>('SatisfactionFigures').implement({
  description: 'Satisfaction of end users with agents (CSAT) in a range of days.',
  fields: (t) => ({
    asked: t.exposeInt('asked', { description: 'Number of end users who were asked.' }),
    ratings: t.exposeInt('ratings', { description: 'Number of end users who answered.' }),
    satisfied: t.exposeInt('satisfied', {
      description: 'Number of ratings of 4 or 5. Its share of `ratings` is the CSAT.',
    }),
    distribution: t.field({
      type: ['Int'],
      description: 'Number of ratings of 1, 2, 3, 4 and 5, in this order.',
      resolve: ({ distribution }) => [...distribution],
    }),
  }),
});

builder.queryField('satisfaction', (t) =>
  t.field({
    type: SatisfactionFigures,
    description:
      'Satisfaction with the agents of an organization, over the handoffs resolved in at most 366 days.',
    args: {
      ...organizationDayRangeArgs,
      projectId: t.arg.id({ description: 'Only this project of the organization.' }),
    },
    validate: dayRangeSchema,
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => getSatisfactionFigures(context, args),
  }),
);
