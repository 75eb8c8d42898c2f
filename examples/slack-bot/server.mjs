import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient, verifyWebhook, WebhookVerificationError } from '@grounded-chat/client';

const {
  GROUNDED_CHAT_URL = 'http://127.0.0.1:3000',
  GROUNDED_CHAT_KEY,
  SECRET,
  CHANNEL_URL,
  PORT = '4400',
} = process.env;
const client = createClient({ baseUrl: GROUNDED_CHAT_URL, apiKey: GROUNDED_CHAT_KEY });
const handled = new Set();

/** Receives the event `human.requested`, and posts the request and a draft of the answer to a channel. */
async function receive(request) {
  const event = await verifyWebhook(
    { body: await text(request), headers: request.headers },
    { secret: SECRET },
  );
  const id = request.headers['webhook-id'];
  if (handled.has(id) || event.type !== 'human.requested') return;
  const { conversationId, email, reason, lastMessages } = event.data;
  const question = lastMessages.findLast(({ role }) => role === 'USER')?.content ?? reason;
  const draft = question ? await client.chat({ message: question, endUserId: 'drafts' }) : null;
  const lines = [
    `*${email ?? 'Somebody'}* asks for a person: ${reason ?? question ?? 'no reason given'}`,
    draft && `Draft (${Math.round(draft.confidence * 100)} %): ${draft.content}`,
    `Conversation ${conversationId}`,
  ];
  const body = JSON.stringify({ text: lines.filter(Boolean).join('\n') });
  const headers = { 'Content-Type': 'application/json' };
  const posted = await fetch(CHANNEL_URL, { method: 'POST', headers, body });
  if (!posted.ok) throw new Error(`The channel answered ${posted.status}`);
  handled.add(id);
}

const server = createServer(async (request, response) => {
  try {
    await receive(request);
    response.writeHead(204).end();
  } catch (error) {
    // If the response is an error, the service sends the event again.
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
    console.error(error.message);
  }
}).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
