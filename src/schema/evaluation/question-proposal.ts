import type { ProposalReason } from '../../domain/evaluation/find-proposable-questions.ts';
import {
  listQuestionProposals,
  type QuestionProposal as Proposal,
} from '../../domain/evaluation/question-proposals.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalDateTime } from '../input-rules.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';

const reasons = {
  UNANSWERED: { description: 'The answer had low confidence, as every fallback answer has.' },
  RATED_DOWN: { description: 'The answer was rated DOWN.' },
  CLAIMED: { description: 'It is the last question before an agent took over the conversation.' },
  RESOLVED: {
    description: 'It is the last question before an agent took over, and the handoff is resolved.',
  },
} satisfies Record<ProposalReason, object>;

const QuestionProposalReason = builder.enumType('QuestionProposalReason', {
  description: 'Why a question of an end user is proposed for a question set.',
  values: reasons,
});

const QuestionProposal = builder.objectRef<Proposal>('QuestionProposal').implement({
  description:
    'A question of end users that a question set does not have yet. Nothing is stored until `addSetQuestions` adds it.',
  fields: (t) => ({
    question: t.exposeString('question'),
    reason: t.expose('reason', {
      type: QuestionProposalReason,
      description:
        'The strongest reason of this wording: RESOLVED with a reply, then CLAIMED, RESOLVED, RATED_DOWN, UNANSWERED.',
    }),
    conversationId: t.exposeID('conversationId'),
    messageId: t.exposeID('messageId', {
      description: 'The message with the question: the latest one with this reason.',
    }),
    askedAt: t.expose('askedAt', { type: 'DateTime' }),
    count: t.exposeInt('count', {
      description:
        'Number of questions with this wording among those that were read. Case and white space are ignored.',
    }),
    answer: t.exposeString('answer', {
      nullable: true,
      description:
        'The first 500 characters of what the assistant answered. Null without a completed answer.',
    }),
    humanReply: t.exposeString('humanReply', {
      nullable: true,
      description:
        "The first 1,000 characters of the agent's first reply. Null unless the reason is CLAIMED or RESOLVED and an agent has replied.",
    }),
  }),
});

const QuestionProposalPage = createPageType('QuestionProposalPage', QuestionProposal);

builder.queryFields((t) => ({
  questionProposalPage: t.field({
    type: QuestionProposalPage,
    description:
      'Questions of end users that a set could have, by page number, newest first. Covers the latest 500 questions of each reason. Needs `EVALUATION_WRITE` and `CONVERSATIONS_READ`.',
    args: {
      setId: t.arg.id({ required: true, description: 'The set that does not have the questions.' }),
      projectId: t.arg.id(expectedProject('set')),
      since: t.arg({
        type: 'DateTime',
        description: 'Ignore questions asked before this time. Default: 30 days ago.',
      }),
      reason: t.arg({
        type: QuestionProposalReason,
        description: 'Only questions with this reason. Default: any.',
      }),
      ...pageArguments,
    },
    validate: fieldsSchema({ since: optionalDateTime, ...pageArgumentSchemas }),
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, args, context) => listQuestionProposals(context, args),
  }),
}));
