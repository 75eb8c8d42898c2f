import { once as onceEmitted } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response of the website. A string is the text of a page. */
export type WebsiteReply =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
      /** If true, the connection stays open without an answer. */
      readonly isSilent?: boolean;
    };

/** A website on which a test can set a page for each path. Each page has an ETag. */
export interface Website {
  readonly url: string;
  readonly pages: Map<string, WebsiteReply>;
  /** Sends this response to the next request for the path. Later requests get the page again. */
  throttle(path: string, reply: WebsiteReply): void;
  /** Returns the paths and headers of all requests since the last call. */
  takeRequests(): { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/** Starts a website. Paths without a page return 404. */
export async function startWebsite(): Promise<Website> {
  const pages = new Map<string, WebsiteReply>();
  const once = new Map<string, WebsiteReply>();
  let requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const reply = once.get(path) ?? pages.get(path);
    once.delete(path);
    if (reply === undefined) return void response.writeHead(404).end('Not found');
    if (typeof reply !== 'string') {
      if (reply.isSilent) return;
      const type = { 'content-type': 'text/html; charset=utf-8' };
      return void response
        .writeHead(reply.status ?? 200, { ...type, ...reply.headers })
        .end(reply.body ?? '');
    }
    const etag = `"${Buffer.from(reply).toString('base64url').slice(-40)}${reply.length}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { 'content-type': 'text/html', etag }).end(reply);
  });
  server.listen(0, '127.0.0.1');
  await onceEmitted(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    throttle: (path, reply) => void once.set(path, reply),
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await onceEmitted(server, 'close');
    },
  };
}

/** Returns a page that has a title, a text and links. */
export function pageOf(title: string, text: string, links: readonly string[] = []): string {
  const list = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('');
  return `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main><nav><ul>${list}</ul></nav></body></html>`;
}
