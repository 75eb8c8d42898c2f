import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { UploadedFile } from '../../src/platform/storage/uploaded-file.ts';
import { isUploadedFile } from '../../src/platform/storage/uploaded-file.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import {
  keys,
  otherProjectId,
  projectId,
  type RestServer,
  startRestServer,
} from '../support/api/rest-server.ts';

const path = '/knowledge/documents/upload';
const limitBytes = 200_000;

let folder: string;
let server: RestServer;
let projectClient: RestClient;
let orgWide: RestClient;
let received: { file: UploadedFile; projectId: string; bytes: Buffer } | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upload-test-'));
  vi.stubEnv('TMPDIR', folder);
  server = await startRestServer(
    {
      uploadDocument: async ({ input }) => {
        received = { ...input, bytes: await readFile(input.file.path) };
        return document(input.file.name);
      },
    },
    { uploadLimitBytes: limitBytes },
  );
  projectClient = restClient(server.baseUrl, keys.project);
  orgWide = restClient(server.baseUrl, keys.orgWide);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('a file', () => {
  test('reaches the schema completely, and is deleted from disk after the response', async () => {
    const bytes = Buffer.alloc(limitBytes, 'grounded ');
    const response = await projectClient.upload(path, new File([bytes], 'Rückgabe 🐑.txt'));
    expect(response.status).toBe(201);
    expect(response.headers.get('Location')).toBe(`/api/v1/knowledge/documents/${projectId}`);
    expect(received?.projectId).toBe(projectId);
    expect(received?.bytes.equals(bytes)).toBe(true);
    expect(received?.file).toMatchObject({
      name: 'Rückgabe 🐑.txt',
      sizeBytes: limitBytes,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(Buffer.from(received?.file.head ?? []).equals(bytes.subarray(0, 65_536))).toBe(true);
    expect(isUploadedFile(received?.file)).toBe(true);
    expect(received?.file.path).toContain(folder);
    await expect.poll(() => readdir(folder)).toEqual([]);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\notes.md', 'notes.md'],
    ['a\u202Etxt.exe', 'atxt.exe'],
    ['a%0D%0Ab%22c.txt', 'ab"c.txt'],
    ['tea\u2028.txt', 'tea.txt'],
    ['cafe\u0301.txt', 'caf\u00e9.txt'],
    ['\u200b\u200e', 'document'],
    ['=?utf-8?B?5bm05bqm5oql5ZGKIEdyw7bDn2UubWQ=?=', '年度报告 Größe.md'],
    ['=?utf-8?Q?..=2F..=2Fa=0D=0Ab.txt?=', 'ab.txt'],
    ['=?utf-8?B?Pz8/Pz8/LnR4dA==?=', '??????.txt'],
    [`${'n'.repeat(300)}.md`, `${'n'.repeat(252)}.md`],
  ])('named %j is listed as %j', async (name, shown) => {
    await sendForm([`Content-Disposition: form-data; name="file"; filename="${name}"`, 'x']);
    expect(received?.file.name).toBe(shown);
  });

  test('of an org-wide key names its project in the query', async () => {
    const file = new File(['x'], 'x.txt');
    expect((await orgWide.upload(`${path}?projectId=${otherProjectId}`, file)).status).toBe(201);
    expect(received?.projectId).toBe(otherProjectId);
    expect(await expectErrorBody(orgWide.upload(path, file))).toMatchObject({
      statusCode: 400,
      code: 'PROJECT_REQUIRED',
    });
  });

  test('for another project is rejected', async () => {
    const response = projectClient.upload(
      `${path}?projectId=${otherProjectId}`,
      new File(['x'], 'x.txt'),
    );
    expect(await expectErrorBody(response)).toMatchObject({
      statusCode: 403,
      code: 'PROJECT_FORBIDDEN',
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a file over the limit', () => {
  test('by one byte returns 413 and leaves nothing', async () => {
    const file = new File([Buffer.alloc(limitBytes + 1)], 'x.txt');
    expect(await expectErrorBody(projectClient.upload(path, file))).toMatchObject({
      statusCode: 413,
      error: 'Payload Too Large',
      code: 'PAYLOAD_TOO_LARGE',
      message: `The file exceeds the plan's limit of ${limitBytes} bytes`,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('is rejected before reading if Content-Length announces it', async () => {
    const socket = await post({ 'Content-Type': multipart, 'Content-Length': '900000000' });
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 Payload Too Large/);
    socket.destroy();
  });

  test('is rejected while reading if Content-Length is missing', async () => {
    const socket = await post({ 'Content-Type': multipart, 'Transfer-Encoding': 'chunked' });
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\n';
    socket.write(`${head.length.toString(16)}\r\n${head}\r\n`);
    socket.write(`${(400_000).toString(16)}\r\n${'x'.repeat(400_000)}\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 Payload Too Large/);
    socket.destroy();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a form', () => {
  const disposition = 'Content-Disposition: form-data;';
  test.each([
    ['without any part', [], /^file is required/],
    [
      'with another name',
      [`${disposition} name="document"; filename="x.txt"`, 'x'],
      /part named file/,
    ],
    ['with text for a file', [`${disposition} name="file"`, 'x'], /^file is required/],
    [
      'with two files',
      [
        `${disposition} name="file"; filename="a.txt"`,
        'a',
        `${disposition} name="file"; filename="b.txt"`,
        'b',
      ],
      /single file/,
    ],
  ])('%s is rejected, naming the supported formats', async (_what, parts, message) => {
    const error = await expectErrorBody(sendForm(parts));
    expect(error).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
    expect(error.message).toEqual([expect.stringMatching(message)]);
    expect(error.message).toEqual([expect.stringContaining('PDF, DOCX, TXT, CSV, Markdown')]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('with an unknown field is rejected', async () => {
    const file = [`${disposition} name="file"; filename="a.txt"`, 'a'];
    const field = [`${disposition} name="projectId"`, projectId];
    expect(await expectErrorBody(sendForm([...file, ...field]))).toMatchObject({
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: ['projectId is not a known field'],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('with more fields, or longer ones, than any document has is rejected', async () => {
    const file = [`${disposition} name="file"; filename="a.txt"`, 'a'];
    const many = Array.from({ length: 40 }, () => [`${disposition} name="tags"`, 'x']).flat();
    const long = [`${disposition} name="metadata"`, 'x'.repeat(300_000)];
    for (const fields of [many, long]) {
      const error = await expectErrorBody(sendForm([...file, ...fields]));
      expect(error).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
      expect(await readdir(folder)).toEqual([]);
    }
  });

  test.each([
    ['JSON', 'application/json', '{}'],
    ['no boundary', 'multipart/form-data', 'x'],
    ['an urlencoded form', 'application/x-www-form-urlencoded', 'file=x'],
    ['a broken part', multipart, '--b\r\nContent-Disp'],
    [
      'a missing end',
      multipart,
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
    ],
  ])('is malformed: %s', async (_what, type, body) => {
    const send = projectClient.send(path, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    expect(await expectErrorBody(send)).toMatchObject({
      statusCode: 400,
      code: 'MALFORMED_REQUEST',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('is not read for a caller without permission', async () => {
    for (const [key, status] of [
      ['sk_unknown', '401'],
      [keys.withoutScopes, '403'],
    ] as const) {
      const socket = await post({ 'Content-Type': multipart, 'Content-Length': '1000' }, key);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toContain(`HTTP/1.1 ${status} `);
      socket.destroy();
    }
  });
});

test('a client that disconnects during an upload leaves nothing', async () => {
  received = null;
  const socket = await post({ 'Content-Type': multipart, 'Content-Length': '100000' });
  socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nxxx');
  await expect.poll(() => readdir(folder)).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => readdir(folder)).toEqual([]);
  expect(received).toBeNull();
});

test('a client that disconnects before its file is read leaves nothing', async () => {
  const asked = Promise.withResolvers<void>();
  await using slow = await startRestServer(
    {},
    {
      async beforeUploadLimit({ signal }) {
        asked.resolve();
        await once(signal, 'abort');
      },
    },
  );
  const headers = { 'Content-Type': multipart, 'Content-Length': '100000' };
  const socket = await post(headers, keys.project, slow.port);
  await asked.promise;
  socket.destroy();
  await expect.poll(() => slow.logLines.join()).toContain('request failed without a response');
  expect(await readdir(folder)).toEqual([]);
});

const multipart = 'multipart/form-data; boundary=b';

/** Sends a multipart form. The entries of `parts` alternate between headers and content. */
function sendForm(parts: readonly string[]): Promise<Response> {
  const written = parts.map((part, index) =>
    index % 2 === 0 ? `--b\r\n${part}\r\n\r\n` : `${part}\r\n`,
  );
  const body = `${written.join('')}--b--\r\n`;
  return projectClient.send(path, { method: 'POST', headers: { 'Content-Type': multipart }, body });
}

/** Sends a request with this raw body. */
async function post(
  headers: Readonly<Record<string, string>>,
  key = keys.project,
  port = server.port,
) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = Object.entries({ Host: 'x', Authorization: `Bearer ${key}`, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST /api/v1${path} HTTP/1.1\r\n${head}\r\n`);
  return socket;
}

function document(name: string) {
  return {
    id: projectId,
    projectId,
    name,
    status: 'PROCESSING',
    sourceType: 'FILE',
    mimeType: 'text/plain',
    sizeBytes: 1,
    contentHash: '00'.repeat(32),
    chunkCount: 0,
    tokenCount: 0,
    error: null,
    warnings: [],
    waitingReason: null,
    externalId: null,
    metadata: {},
    sourceUrl: null,
    tags: [],
    version: 1,
    sourceId: null,
    outcome: 'CREATED',
    duplicateOf: null,
    createdAt: '2026-11-21T09:30:00.000Z',
    updatedAt: '2026-11-21T09:30:00.000Z',
    processedAt: null,
  };
}
