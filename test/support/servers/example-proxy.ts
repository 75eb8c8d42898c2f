import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { waitUntil } from '../wait-until.ts';
import { freePort } from './free-port.ts';

export type ExampleProxyName = 'nginx' | 'Caddy';

/** A proxy that runs with the example configuration of this repository. Only its addresses and paths differ. */
export interface ExampleProxy {
  /** Sends a request with the path as it is. By default from 127.0.0.1. */
  send(path: string, options?: ProxyRequest): Promise<Response>;
  stop(): Promise<void>;
}

export interface ProxyRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Address from which the client connects. */
  readonly from?: string;
}

/** Starts Debian's nginx or Caddy before two services with these URLs. */
export async function startExampleProxy(
  name: ExampleProxyName,
  upstreams: readonly [string, string],
): Promise<ExampleProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'grounded-chat-proxy-'));
  const port = await freePort();
  const hosts = upstreams.map((url) => new URL(url).host);
  const started =
    name === 'nginx'
      ? await startNginx(folder, port, await freePort(), hosts)
      : await startCaddy(folder, port, hosts);
  const proxy: ExampleProxy = {
    send: (path, options = {}) => send({ port, isTls: name === 'nginx' }, path, options),
    async stop() {
      const exited = once(started.child, 'exit');
      if (started.child.kill('SIGTERM')) await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
  await waitUntil(async () => {
    if (started.child.exitCode !== null) throw new Error(`${name} ended:\n${started.output()}`);
    return proxy.send('/').then(
      () => true,
      () => false,
    );
  }).catch(async (error) => {
    await proxy.stop();
    throw error;
  });
  return proxy;
}

async function startNginx(folder: string, port: number, plainPort: number, hosts: string[]) {
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const subject = ['-subj', '/CN=chat.example.com', '-days', '1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    ...subject,
    ...files,
  ]);
  const site = replaceAll(await readFile('deploy/nginx/grounded-chat.conf', 'utf8'), {
    '127.0.0.1:3000': hosts[0],
    '127.0.0.1:3001': hosts[1],
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    '    listen [::]:80;\n': '',
    '    listen [::]:443 ssl http2;\n': '',
    '/etc/letsencrypt/live/chat.example.com/fullchain.pem': certificate,
    '/etc/letsencrypt/live/chat.example.com/privkey.pem': key,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (part) => `${part}_temp_path ${folder}/${part};`,
  );
  // One process, so that no worker runs as a user who may not enter the folder.
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {} http { access_log off; ${temporary.join(' ')}\n${site}}`;
  const path = join(folder, 'nginx.conf');
  await writeFile(path, config);
  await promisify(execFile)('nginx', ['-t', '-e', 'stderr', '-p', folder, '-c', path]);
  return spawnProxy('nginx', ['-e', 'stderr', '-p', folder, '-c', path], folder);
}

async function startCaddy(folder: string, port: number, hosts: string[]) {
  const config = replaceAll(await readFile('Caddyfile', 'utf8'), {
    'api-1:3000': hosts[0],
    'api-2:3000': hosts[1],
    ':8080': `:${port}`,
  });
  const path = join(folder, 'Caddyfile');
  await writeFile(path, config);
  return spawnProxy('caddy', ['run', '--config', path, '--adapter', 'caddyfile'], folder);
}

function spawnProxy(file: string, args: readonly string[], folder: string) {
  const env = { PATH: process.env.PATH, HOME: folder };
  const child: ChildProcess = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes) => {
      output += bytes;
    });
  }
  return { child, output: () => output };
}

/** Throws if the text lacks one of the keys: the proxy would run with an address of the example. */
function replaceAll(text: string, changes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(changes).reduce((changed, [from, to = '']) => {
    if (!changed.includes(from)) throw new Error(`the example lacks ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

function send(
  { port, isTls }: { readonly port: number; readonly isTls: boolean },
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: ProxyRequest,
): Promise<Response> {
  const sent = (isTls ? requestTls : requestPlain)({
    ...{ host: '127.0.0.1', port, path, method, headers, localAddress: from },
    ...{ rejectUnauthorized: false, agent: false },
  });
  return new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      const fields = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
      const { statusCode: status = 0 } = response;
      const isEmpty = [204, 304].includes(status);
      resolve(
        new Response(isEmpty ? null : (Readable.toWeb(response) as ReadableStream), {
          status,
          headers: Object.fromEntries(fields),
        }),
      );
    });
    sent.end(body);
  });
}
