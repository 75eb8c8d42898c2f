export type { ChatEvent, StreamOptions } from './answer-connection.ts';
export { newKey as newIdempotencyKey } from './call-operation.ts';
export type { Chat, ChatMessage } from './chat.ts';
export { type ChatHandlerOptions, type ChatUser, createChatHandler } from './chat-handler.ts';
export type { ChatStream } from './chat-stream.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { FileDetails } from './documents.ts';
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  GroundedChatError,
  StreamInterruptedError,
  TimeoutError,
  WebhookVerificationError,
} from './errors.ts';
export type { components, operations, paths } from './generated/openapi-types.ts';
export type { List, Page } from './pages.ts';
export type { CallOptions } from './send-request.ts';
export {
  type VerificationOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookRequest,
} from './webhooks.ts';
