import type { Message } from '../conversations/messages.ts';
import { webhookBody, webhookBodyLimitBytes } from '../webhooks/webhook-event-types.ts';
import type { WebhookEventData } from '../webhooks/webhook-events.ts';
import { truncateContents } from './truncate-contents.ts';

type MessageCreated = WebhookEventData['message.created'];

/**
 * Builds the data of the webhook `message.created`. The content is truncated if the body would exceed its size limit.
 */
export function buildMessageCreatedPayload(
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
  const availableBytes = webhookBodyLimitBytes - Buffer.byteLength(body) - 1;
  return withContent(truncateContents([message], availableBytes).join(''));
}
