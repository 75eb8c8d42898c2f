import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A repository that Git's own server, `git http-backend`, serves. */
export interface GitServer {
  /** Address of the repository. */
  readonly url: string;
  /** Commits changes to files. A value is the new content, or null to delete the file. */
  commit(files: Readonly<Record<string, string | Buffer | null>>): Promise<void>;
  /** Runs Git in the work tree. The server serves the branches of this work tree. */
  git(...args: readonly string[]): Promise<string>;
  /** Returns the commands since the last call, with the number of objects that each requested. */
  takeRequests(): { readonly command: string; readonly wants: number }[];
  /** Number of fetches since the last `takeRequests`. */
  fetchCount(): number;
  /** Value that the header `Authorization` must have. Null: the server requires none. */
  authorization: string | null;
  /** The server awaits this function before each answer. */
  beforeAnswer: () => Promise<void>;
  close(): Promise<void>;
}

/** Starts a server. If `hasFilter` is true, clients can ask the server to omit the contents of files. */
export async function startGitServer({ hasFilter = true } = {}): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'grounded-chat-git-'));
  const tree = join(root, 'docs');
  const env = {
    ...{ PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' },
    ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' },
  };
  const git = async (...args: readonly string[]) =>
    (await run('git', args, { cwd: tree, env })).stdout;
  await mkdir(tree);
  await git('init', '-q', '-b', 'main');
  await git('config', 'uploadpack.allowFilter', String(hasFilter));
  let requests: { command: string; wants: number }[] = [];

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const text = body.toString('latin1');
    const command = /command=([\w-]+)/.exec(text)?.[1] ?? 'info/refs';
    requests.push({ command, wants: text.match(/want /g)?.length ?? 0 });
    await state.beforeAnswer();
    const { authorization } = request.headers;
    if (state.authorization !== null && authorization !== state.authorization) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    }
    await serve(request, response, body, { ...env, GIT_PROJECT_ROOT: root });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const state: GitServer = {
    url: `http://127.0.0.1:${port}/docs/.git`,
    authorization: null,
    beforeAnswer: async () => {},
    git,
    async commit(files) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(tree, path);
        if (content === null) await rm(file);
        else {
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, content);
        }
      }
      await git('add', '-A', '-f');
      await git('commit', '-q', '-m', 'Change');
    },
    fetchCount: () => requests.filter(({ command }) => command === 'fetch').length,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return state;
}

/** Runs `git http-backend`, the CGI program of Git. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  // Git does not read the body of a request that it refuses, so writing the body may fail.
  child.stdin.on('error', () => {});
  child.stdin.end(body);
  const output = Buffer.concat(await child.stdout.toArray());
  const end = output.indexOf('\r\n\r\n');
  const headers = output
    .toString('latin1', 0, end)
    .split('\r\n')
    .map((line) => line.split(': ') as [string, string]);
  const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
  response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers));
  response.end(output.subarray(end + 4));
}
