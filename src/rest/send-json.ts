import type { Response } from 'express';
import type { Call } from './call.ts';

/** Answers with JSON, byte for byte what is given: no ETag, no conditional answer. */
export function sendJson(response: Response, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, jsonHeaders(text)).end(text);
}

/** Answers a call with JSON, and keeps it for those who repeat the request. */
export async function answerJson(call: Call, status: number, body: unknown): Promise<void> {
  await call.record?.json(status, JSON.stringify(body));
  sendJson(call.response, status, body);
}

/** The headers that belong to a JSON text. */
export function jsonHeaders(text: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
  };
}
