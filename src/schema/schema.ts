import './answer-quality.ts';
import './api-key.ts';
import './audit-entry.ts';
import './chat.ts';
import './confidence-curve.ts';
import './conversation.ts';
import './chunk.ts';
import './document.ts';
import './end-user.ts';
import './feedback.ts';
import './handoff.ts';
import './insights.ts';
import './inbox.ts';
import './member.ts';
import './organization.ts';
import './project.ts';
import './search.ts';
import './usage.ts';
import './viewer.ts';
import './visitor.ts';
import './webhook-delivery.ts';
import './webhook-endpoint.ts';
import './widget.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import { countResponseBytes } from './operation-budget.ts';

/** The complete schema. The HTTP server exposes it, and REST controllers execute its operations in process. */
export const schema: GraphQLSchema = countResponseBytes(builder.toSchema());
