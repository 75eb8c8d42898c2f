import type { Message } from '../conversations/messages.ts';
import {
  type WebhookEventData,
  webhookBody,
  webhookBodyLimitBytes,
} from '../webhooks/webhook-types.ts';
import { shortenContents } from './shorten-contents.ts';

type MessageCreated = WebhookEventData['message.created'];

/** What the webhook `message.created` tells; the content is cut where the body would grow beyond its limit. */
export function describeMessageCreated(
  message: Message,
  { organizationId, endUserId }: Pick<MessageCreated, 'organizationId' | 'endUserId'>,
): MessageCreated {
  const { id: messageId, projectId, conversationId, role, createdAt } = message;
  const withContent = (content: string): MessageCreated => ({
    organizationId,
    projectId,
    conversationId,
    endUserId,
    messageId,
    role,
    content,
    createdAt: createdAt.toISOString(),
  });
  const body = webhookBody({
    type: 'message.created',
    occurredAt: createdAt,
    data: withContent(''),
  });
  const roomBytes = webhookBodyLimitBytes - Buffer.byteLength(body) - 1;
  return withContent(shortenContents([message.content], roomBytes).join(''));
}
