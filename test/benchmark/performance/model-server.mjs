/**
 * Stand-in for a model server. Runs in a separate process, so that its processor time is not measured. Embeddings are
 * computed from hashes of the words. An answer has `tokens` short words and sends one every `intervalMs`. If
 * `intervalMs` is 0, it sends them as fast as the reader accepts them. If `vectors` has elements, an embedding is one of
 * them, chosen by the hash of the text. `POST /settings` changes these values and `firstTokenMs`.
 */
import { createServer } from 'node:http';

const dimensions = 384;
const settings = { tokens: 8, intervalMs: 0, firstTokenMs: 0, vectors: [] };

const server = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString('utf8');
  const body = text === '' ? {} : JSON.parse(text);
  if (request.url === '/settings') {
    Object.assign(settings, body);
    return sendJson(response, {});
  }
  if (request.url === '/v1/embeddings') return sendJson(response, embeddings(body));
  if (request.url === '/v1/chat/completions') return streamAnswer(response, { ...settings });
  sendJson(response, { object: 'list', data: [] });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));

function sendJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function embeddings({ model, input, encoding_format: format }) {
  const data = [input].flat().map((text, index) => ({
    object: 'embedding',
    index,
    embedding: format === 'base64' ? base64(embed(text)) : [...embed(text)],
  }));
  return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

const base64 = (vector) => Buffer.from(vector.buffer).toString('base64');

/** Words with a digit are rare, so they have a higher weight. */
function embed(text) {
  const { vectors } = settings;
  if (vectors.length > 0) return Float32Array.from(vectors[(hashOf(text) >>> 0) % vectors.length]);
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? ['']) {
    let hash = hashOf(word);
    for (let n = 0; n < 4; n += 1) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      vector[(hash >>> 1) % dimensions] += (hash & 1 ? 1 : -1) * (/\d/.test(word) ? 4 : 1);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** FNV-1a. */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

const frame = (delta, finishReason, rest) =>
  `data: ${JSON.stringify({
    ...{ id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'stand-in' },
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...rest,
  })}\n\n`;

const word = frame({ content: ' word' }, null);

function streamAnswer(response, { tokens, intervalMs, firstTokenMs }) {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  let sent = 0;
  const finish = () => {
    response.write(frame({}, 'stop'));
    response.end('data: [DONE]\n\n');
  };
  const sendNext = () => {
    while (sent < tokens) {
      sent += 1;
      const hasRoom = response.write(word);
      if (intervalMs > 0) return setTimeout(sendNext, intervalMs);
      if (!hasRoom) return response.once('drain', sendNext);
    }
    finish();
  };
  setTimeout(sendNext, firstTokenMs);
}
