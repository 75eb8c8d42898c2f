import { claimHandoff } from '../../domain/handoff/claim-handoff.ts';
import { releaseHandoff } from '../../domain/handoff/release-handoff.ts';
import { replyToConversation } from '../../domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../domain/handoff/resolve-handoff.ts';
import { returnToAssistant } from '../../domain/handoff/return-to-assistant.ts';
import { takeOverConversation } from '../../domain/handoff/take-over-conversation.ts';
import { transferHandoff } from '../../domain/handoff/transfer-handoff.ts';
import { builder } from '../builder.ts';
import { Message } from '../conversations/message.ts';
import { Handoff } from './handoff.ts';
import {
  ClaimHandoffInput,
  ReleaseHandoffInput,
  ReplyToConversationInput,
  RequestHandoffInput,
  ResolveHandoffInput,
  ReturnToAssistantInput,
  TakeOverConversationInput,
  TransferHandoffInput,
} from './handoff-inputs.ts';

builder.mutationFields((t) => ({
  requestHandoff: t.prismaField({
    type: Handoff,
    description:
      'Requests a handoff of a conversation to the team. If a handoff is already open, adds the e-mail address, name and reason to it that the input has.',
    args: { input: t.arg({ type: RequestHandoffInput, required: true }) },
    authScopes: { permission: 'chat' },
    resolve: (query, _root, { input }, context) => requestHandoff(context, input, query),
  }),
  claimHandoff: t.prismaField({
    type: Handoff,
    description:
      'Claims a handoff: the caller takes over the conversation from the assistant. If two agents claim at once, one receives CONFLICT. A handoff that the agent already owns is returned unchanged.',
    args: { input: t.arg({ type: ClaimHandoffInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => claimHandoff(context, input, query),
  }),
  takeOverConversation: t.prismaField({
    type: Handoff,
    description:
      'Takes over a conversation from the assistant or another agent: claims its open handoff, or opens one that the caller owns. Sends the webhook `handoff.claimed`. A conversation that the agent already owns is returned unchanged.',
    args: { input: t.arg({ type: TakeOverConversationInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => takeOverConversation(context, input, query),
  }),
  transferHandoff: t.prismaField({
    type: Handoff,
    description:
      'Transfers a claimed handoff to another team member, or assigns a requested one. A handoff that this member already owns is returned unchanged.',
    args: { input: t.arg({ type: TransferHandoffInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => transferHandoff(context, input, query),
  }),
  releaseHandoff: t.prismaField({
    type: Handoff,
    description:
      'Puts a handoff that the caller owns back into the queue, at its old place. The assistant answers in the meantime. A handoff that waits is returned unchanged. CONFLICT if another agent owns it.',
    args: { input: t.arg({ type: ReleaseHandoffInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => releaseHandoff(context, input, query),
  }),
  replyToConversation: t.prismaField({
    type: Message,
    description:
      'Sends a reply to the end user of a conversation that a team member owns. Other team members may reply, too.',
    args: { input: t.arg({ type: ReplyToConversationInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => replyToConversation(context, input, query),
  }),
  resolveHandoff: t.prismaField({
    type: Handoff,
    description:
      "Resolves a handoff and its conversation. The end user's next message reopens the conversation for the assistant. A resolved handoff is returned unchanged.",
    args: { input: t.arg({ type: ResolveHandoffInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => resolveHandoff(context, input, query),
  }),
  returnToAssistant: t.prismaField({
    type: Handoff,
    description:
      'Resolves a handoff and keeps the conversation open. The assistant answers the next message. A resolved handoff is returned unchanged.',
    args: { input: t.arg({ type: ReturnToAssistantInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => returnToAssistant(context, input, query),
  }),
}));
