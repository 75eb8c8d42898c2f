import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpMailer } from '../../src/platform/mail/smtp-mailer.ts';
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts';

let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});

afterAll(() => server.stop());

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

const send = (smtpUrl: string, timeoutMs = 5_000, to = mail.to) =>
  createSmtpMailer({ smtpUrl, from: 'chat@example.com' }, { timeoutMs }).send({ ...mail, to });

test('sends a message to one recipient', async () => {
  await send(server.url);
  expect(server.received.at(-1)?.recipients).toEqual(['ada@example.com']);
});

test('never sends to a second recipient in an address', async () => {
  const before = server.received.length;
  await send(server.url, 5_000, 'ada@example.com, mallory@example.com').catch(() => {});
  const recipients = server.received.slice(before).flatMap((received) => received.recipients);
  expect(recipients).not.toContain('mallory@example.com');
});

test('fails within its time limit if the server does not answer', async () => {
  server.mode = 'hang';
  // The server never answers. So if the mailer did not stop waiting, this test would time out.
  await expect(send(server.url, 500)).rejects.toThrow();
  server.mode = 'accept';
});

test('fails if no server is there', async () => {
  await expect(send('smtp://127.0.0.1:1')).rejects.toThrow();
});

test('does not send a password without TLS', async () => {
  const url = new URL(server.url);
  url.username = 'chat';
  url.password = 'secret';
  await expect(send(url.href)).rejects.toThrow(/TLS/i);
});
