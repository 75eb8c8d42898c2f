import './answer-quality.ts';
import './api-key.ts';
import './chat.ts';
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
import './webhook.ts';
import './widget.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';

/** The one schema: served to operators over HTTP, run in process by the REST interface. */
export const schema: GraphQLSchema = builder.toSchema();
