import { createChatHandler } from '@grounded-chat/client';

const handle = createChatHandler({
  baseUrl: process.env.GROUNDED_CHAT_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.GROUNDED_CHAT_KEY ?? '',
  // Read the session of your site here. Return null for visitors who are not allowed to chat.
  identify: () => ({ endUserId: 'guest' }),
});

export { handle as GET, handle as POST, handle as PUT };
