import { getAnswerSummary } from '../../domain/conversations/answer-summary.ts';
import { builder } from '../builder.ts';
import { Conversation } from './conversation.ts';

builder.objectFields(Conversation, (t) => ({
  lowestConfidence: t.float({
    nullable: true,
    description:
      'Lowest confidence of the completed answers, 0 to 1. Null if there are none. Small talk is not counted.',
    authScopes: { permission: 'conversations:read' },
    resolve: async (conversation, _args, context) =>
      (await getAnswerSummary(context, conversation)).lowestConfidence,
  }),
  answersRatedUp: t.int({
    authScopes: { permission: 'conversations:read' },
    resolve: async (conversation, _args, context) =>
      (await getAnswerSummary(context, conversation)).answersRatedUp,
  }),
  answersRatedDown: t.int({
    authScopes: { permission: 'conversations:read' },
    resolve: async (conversation, _args, context) =>
      (await getAnswerSummary(context, conversation)).answersRatedDown,
  }),
}));
