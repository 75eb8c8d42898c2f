#!/usr/bin/env node
// An MCP server over stdio for clients that do not speak HTTP. Forwards each message to the service at
// GROUNDED_CHAT_URL, with the key in GROUNDED_CHAT_KEY. An org-wide key also needs GROUNDED_CHAT_PROJECT_ID.
import { createInterface } from 'node:readline';

// biome-ignore lint/style/noProcessEnv: a separate program, which MCP clients configure by environment variables
const { GROUNDED_CHAT_URL, GROUNDED_CHAT_PROJECT_ID, ...env } = process.env;
// Earlier versions had only the second name.
const key = env.GROUNDED_CHAT_KEY || env.GROUNDED_CHAT_API_KEY;
const firstRevisionWithoutSessions = '2026-07-28';
const protocolVersionField = 'io.modelcontextprotocol/protocolVersion';

if (!key) exit('GROUNDED_CHAT_KEY is not set: set it to an API key of the service');
if (!/^[\x21-\x7e]+$/.test(key)) exit('GROUNDED_CHAT_KEY must be one line without spaces');
const url = readUrl(GROUNDED_CHAT_URL || 'http://127.0.0.1:3000');

/** Requests in progress, by request id. */
const running = new Map();
/** The session that `initialize` returned. Only clients of the 2025 protocol revisions have a session. */
const session = { id: '', protocolVersion: '' };

// Handles messages concurrently, because a client may cancel a request before it receives the response.
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') void forward(line);
}

function exit(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Returns the address of the MCP server. The address of the service may end with `/api/v1`. Errors do not quote it. */
function readUrl(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password)
    exit('GROUNDED_CHAT_URL must be an address such as https://chat.example.com');
  return new URL(`${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/mcp`, url);
}

/** Sends a message to the service. Sends each message of the service's response to the client. */
async function forward(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return reply({ id: null, error: { code: -32700, message: 'The message is not JSON' } });
  }
  const { id, method, params } = message;
  const version = params?._meta?.[protocolVersionField] ?? session.protocolVersion;
  if (method === 'notifications/cancelled') {
    // From this protocol revision on, closing the response cancels the request, and the service expects no cancel
    // message.
    if (version >= firstRevisionWithoutSessions) return running.get(params?.requestId)?.abort();
  }
  const controller = new AbortController();
  if (id !== undefined) running.set(id, controller);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(message, version),
      body: line,
      signal: controller.signal,
    });
    await readResponse(response, message);
  } catch (error) {
    if (controller.signal.aborted || id === undefined) return;
    const reason = error.cause?.message ?? error.message;
    reply({ id, error: { code: -32000, message: `${url.origin} cannot be reached: ${reason}` } });
  } finally {
    running.delete(id);
  }
}

function headersOf({ method, params }, version) {
  const name = params?.name ?? params?.uri;
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${key}`,
    ...(GROUNDED_CHAT_PROJECT_ID && { 'X-Project-Id': GROUNDED_CHAT_PROJECT_ID }),
    ...(session.id && { 'Mcp-Session-Id': session.id }),
    ...(version && method !== 'initialize' && { 'MCP-Protocol-Version': version }),
    ...(version >= firstRevisionWithoutSessions && { 'Mcp-Method': method }),
    ...(version >= firstRevisionWithoutSessions && isPlain(name) && { 'Mcp-Name': name }),
  };
}

function isPlain(name) {
  return typeof name === 'string' && /^[\x21-\x7e]+$/.test(name);
}

async function readResponse(response, { id, method }) {
  const type = response.headers.get('content-type') ?? '';
  session.id = response.headers.get('mcp-session-id') ?? session.id;
  if (type.startsWith('text/event-stream')) {
    for await (const data of readEvents(response.body)) send(data, method);
    return;
  }
  const text = await response.text();
  if (id === undefined) return;
  if (text.includes('"jsonrpc"')) send(text, method);
  else reply({ id, error: { code: -32000, message: reasonOf(response, text) } });
}

/** Yields the data of each server-sent event. */
async function* readEvents(body) {
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + part).split(/\r?\n\r?\n/);
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const lines = frame.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      const data = lines.map((line) => line.slice('data:'.length)).join('\n');
      if (data.trim() !== '') yield data;
    }
  }
}

/** Returns the message of an error response that is not in MCP format, such as the response to a wrong key. */
function reasonOf({ status }, text) {
  try {
    const { code, message } = JSON.parse(text);
    return `${code}: ${[message].flat().join('; ')}`;
  } catch {
    return `The service answered with status ${status}`;
  }
}

function reply(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Writes a message to standard output, on one line. */
function send(text, method) {
  const message = JSON.parse(text);
  if (method === 'initialize') session.protocolVersion = message.result?.protocolVersion ?? '';
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
