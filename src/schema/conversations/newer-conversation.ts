import { getNewerConversation } from '../../domain/conversations/newer-conversation.ts';
import { builder } from '../builder.ts';
import { Conversation } from './conversation.ts';

builder.objectField(Conversation, 'newerConversation', (t) =>
  t.field({
    type: Conversation,
    nullable: true,
    description:
      'The latest conversation that the same end user has started after this one. Null if there is none, or no `endUserId`.',
    authScopes: { permission: 'conversations:read' },
    resolve: (conversation, _args, context) => getNewerConversation(context, conversation),
  }),
);
