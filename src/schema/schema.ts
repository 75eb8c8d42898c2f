import './analytics.ts';
import './answer-quality.ts';
import './api-key.ts';
import './audit-entry.ts';
import './chat.ts';
import './confidence-curve.ts';
import './conversation.ts';
import './conversation-answers.ts';
import './conversation-event.ts';
import './conversation-note.ts';
import './chunk.ts';
import './document.ts';
import './document-mutations.ts';
import './document-queries.ts';
import './embedding.ts';
import './end-user.ts';
import './feedback.ts';
import './handoff.ts';
import './handoff-mutations.ts';
import './insights.ts';
import './inbox.ts';
import './inbox-state.ts';
import './key-project.ts';
import './member.ts';
import './newer-conversation.ts';
import './node-queries.ts';
import './organization.ts';
import './project.ts';
import './reply-draft.ts';
import './answer-preview.ts';
import './retry-failed-documents.ts';
import './activity.ts';
import './label.ts';
import './satisfaction.ts';
import './saved-reply.ts';
import './search.ts';
import './usage.ts';
import './viewer.ts';
import './visitor.ts';
import './webhook-delivery.ts';
import './source.ts';
import './source-run.ts';
import './question-set.ts';
import './question-proposal.ts';
import './evaluation-run.ts';
import './project-confidence.ts';
import './webhook-endpoint.ts';
import './widget.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import { countResponseBytes } from './operation-budget.ts';

/** The complete schema. The HTTP server exposes it, and REST controllers execute its operations in process. */
export const schema: GraphQLSchema = countResponseBytes(
  // Sorting would build all types twice.
  builder.toSchema({ sortSchema: false }),
);
