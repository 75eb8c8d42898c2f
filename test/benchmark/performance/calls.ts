import { Agent, type IncomingMessage, request } from 'node:http';
import { documentName, questionFor } from './corpus.ts';
import type { System } from './systems.ts';

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** A system that has been started. */
export interface Target {
  readonly system: System;
  readonly origin: string;
}

export async function addDocument(
  { system, origin }: Target,
  document: { readonly name: string; readonly content: string },
): Promise<void> {
  await (
    await post(origin + system.basePath + system.documentsPath, system.headers, document)
  ).toArray();
}

/** Searches for the document with this number. Returns whether the results contain it. */
export async function search({ system, origin }: Target, document: number): Promise<boolean> {
  const body = { query: questionFor(document, document), limit: 5 };
  const response = await post(origin + system.basePath + system.searchPath, system.headers, body);
  const { results } = JSON.parse(Buffer.concat(await response.toArray()).toString('utf8'));
  return results.some(
    ({ documentName: name }: { documentName: string }) => name === documentName(document),
  );
}

export interface ReadAnswer {
  /** Milliseconds from the request to the first part of the answer. */
  readonly firstMs: number;
  readonly text: string;
}

/** Asks about the document with this number and reads the streamed answer. */
export function chat({ system, origin }: Target, document: number): Promise<ReadAnswer> {
  const body = { message: questionFor(document, document), stream: true };
  return readAnswer(`${origin}${system.basePath}/chat`, system.headers, body, (event) =>
    event.type === 'delta' ? event.text : '',
  );
}

/** Calls the model server directly, without the service. */
export function askModel(origin: string): Promise<ReadAnswer> {
  return readAnswer(
    `${origin}/v1/chat/completions`,
    {},
    { stream: true, messages: [] },
    (event) => event.choices?.[0]?.delta?.content ?? '',
  );
}

interface AnswerEvent {
  readonly type?: string;
  readonly text?: string;
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
}

async function readAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  textOf: (event: AnswerEvent) => string | undefined,
): Promise<ReadAnswer> {
  const startedAt = performance.now();
  const response = await post(url, headers, body);
  let firstMs = 0;
  let text = '';
  let rest = '';
  for await (const part of response.setEncoding('utf8')) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      text += textOf(JSON.parse(line.slice('data: '.length))) ?? '';
      if (text !== '' && firstMs === 0) firstMs = performance.now() - startedAt;
    }
  }
  return { firstMs, text };
}

/** @throws Error if the status is 400 or above */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', ...headers },
    };
    request(url, options, resolve).on('error', reject).end(JSON.stringify(body));
  });
  if ((response.statusCode ?? 500) < 400) return response;
  const text = Buffer.concat(await response.toArray()).toString('utf8');
  throw new Error(`${url}: ${response.statusCode} ${text.slice(0, 200)}`);
}
