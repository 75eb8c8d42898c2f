/**
 * The least code that does the same work as the service: Node's HTTP server and one Postgres table of chunks. It has no
 * tenants, keys, limits, checks, citations or recovery. The additional time of the service is the price of these.
 *
 * Paths: `POST /documents`, `/search` and `/chat`. Settings: DATABASE_URL and MODEL_URL.
 */
import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as httpRequest } from 'node:http';
import pg from 'pg';

const model = new URL(process.env.MODEL_URL);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' });
const chunkLength = 700;

await pool.query(`
  create extension if not exists vector;
  create table if not exists document (id uuid primary key, name text not null);
  create table if not exists chunk (id bigserial primary key, document_id uuid not null, text text not null,
    embedding vector(384) not null);
  create index if not exists chunk_embedding on chunk using hnsw (embedding vector_cosine_ops);
  create table if not exists message (id uuid primary key, conversation_id uuid not null, role text not null,
    content text not null)`);

const routes = { '/documents': addDocument, '/search': answerSearch, '/chat': answerChat };
const server = createServer(async (request, response) => {
  try {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    await (routes[request.url] ?? answerHealth)(response, text === '' ? {} : JSON.parse(text));
  } catch (error) {
    console.error(error);
    response.destroy();
  }
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));

function sendJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function answerHealth(response) {
  sendJson(response, { ok: true });
}

function post(path, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    httpRequest(`${model.origin}/v1${path}`, { method: 'POST', agent, headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

async function embed(input) {
  const response = await post('/embeddings', { input, encoding_format: 'base64' });
  const { data } = JSON.parse(Buffer.concat(await response.toArray()).toString('utf8'));
  return data.map(({ embedding }) => {
    const bytes = Buffer.from(embedding, 'base64');
    return `[${new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).join(',')}]`;
  });
}

async function addDocument(response, { name, content }) {
  const chunks = content.match(new RegExp(`[^]{1,${chunkLength}}`, 'g'));
  const vectors = await embed(chunks);
  const id = randomUUID();
  await pool.query({
    name: 'add',
    text: `with document as (insert into document values ($1, $2))
      insert into chunk (document_id, text, embedding)
      select $1, text, embedding::vector from unnest($3::text[], $4::text[]) as chunk (text, embedding)`,
    values: [id, name, chunks, vectors],
  });
  sendJson(response, { id });
}

async function search(query) {
  const [vector] = await embed([query]);
  const { rows } = await pool.query({
    name: 'search',
    text: `select chunk.id as "chunkId", document_id as "documentId", name as "documentName", text,
        1 - (embedding <=> $1) as score
      from chunk join document on document.id = document_id order by embedding <=> $1 limit 5`,
    values: [vector],
  });
  return rows;
}

async function answerSearch(response, { query }) {
  sendJson(response, { results: await search(query) });
}

async function answerChat(response, { message }) {
  const conversationId = randomUUID();
  const [sources] = await Promise.all([
    search(message),
    storeMessage(conversationId, 'user', message),
  ]);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ type: 'meta', conversationId })}\n\n`);
  const system = sources.map(({ text }) => text).join('\n\n');
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: message },
  ];
  const answer = await relay(response, await post('/chat/completions', { stream: true, messages }));
  await storeMessage(conversationId, 'assistant', answer);
  response.end('data: {"type":"done"}\n\n');
}

function storeMessage(conversationId, role, content) {
  const values = [randomUUID(), conversationId, role, content];
  return pool.query({
    name: 'message',
    text: 'insert into message values ($1, $2, $3, $4)',
    values,
  });
}

async function relay(response, modelResponse) {
  let answer = '';
  let rest = '';
  modelResponse.setEncoding('utf8');
  for await (const part of modelResponse) {
    const lines = (rest + part).split('\n');
    rest = lines.pop();
    let frames = '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const text = JSON.parse(line.slice(6)).choices[0]?.delta.content;
      if (!text) continue;
      answer += text;
      frames += `data: ${JSON.stringify({ type: 'delta', text })}\n\n`;
    }
    if (frames !== '' && !response.write(frames))
      await new Promise((resolve) => response.once('drain', resolve));
  }
  return answer;
}
