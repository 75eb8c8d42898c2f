export { Chat, type ChatProps } from './chat.tsx';
export type { ChatState, ChatStoreOptions, HandoffDetails } from './chat-store.ts';
export { type ChatLabels, englishLabels } from './labels.ts';
export type { Citation, Message } from './messages.ts';
export { useChat } from './use-chat.ts';
