import { draftReply, type ReplyDraft as Shape } from '../../domain/chat/draft-reply.ts';
import { findUnstoredTrace } from '../../domain/chat/traces/find-unstored-trace.ts';
import { builder } from '../builder.ts';
import { Citation } from '../chat/chat.ts';
import { AnswerTrace } from '../conversations/answer-trace.ts';
import { expectedProject } from '../organizations/expected-project.ts';

const ReplyDraft = builder.objectRef<Shape>('ReplyDraft').implement({
  description: "A suggested reply to an end user, from the project's documents. It is not stored.",
  fields: (t) => ({
    messageId: t.exposeID('messageId', {
      description: "The end user's message that the draft answers.",
    }),
    content: t.exposeString('content', {
      nullable: true,
      description:
        'The answer with citation markers, as the assistant would give it. Null if the documents do not answer the message.',
    }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The answer without citation markers. Null if `content` is null.',
    }),
    citations: t.field({
      type: [Citation],
      description: 'Chunks that the draft cites. The marker `[n]` refers to the nth of them.',
      resolve: ({ citations }) => [...citations],
    }),
    trace: t.field({
      type: AnswerTrace,
      nullable: true,
      description: 'How it came about. API keys need `analytics:read`.',
      resolve: (traced, _args, context) => findUnstoredTrace(context, traced),
    }),
    confidence: t.exposeFloat('confidence', {
      description: "Probability that the project's knowledge supports the draft, 0 to 1.",
    }),
  }),
});

builder.queryField('draftReply', (t) =>
  t.field({
    type: ReplyDraft,
    nullable: true,
    description:
      "Drafts a reply to the end user's latest question since the last reply of an agent, as the assistant would answer it. Null if there is no question. The handoff must be claimed, otherwise CONFLICT. Stores no message and takes none from the allowance; its tokens are counted. At most 20 drafts a minute per operator or key. A newer draft of the caller for the same conversation cancels an earlier one, which receives CONFLICT.",
    args: {
      handoffId: t.arg.id({ required: true }),
      projectId: t.arg.id(expectedProject('handoff')),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, args, context) => draftReply(context, args),
  }),
);
