import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for a server with the API of Amazon S3: ListObjectsV2 and GetObject for one bucket. Checks Signature
 * Version 4 as the AWS documentation describes it.
 */
export interface S3Server {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** Returns the requests since the last call, as `LIST` or `GET key`. */
  takeRequests(): string[];
  /** Called before each answer that contains an object. */
  beforeAnswer: () => void;
  close(): Promise<void>;
}

export const s3Key = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
export const s3Bucket = 'handbook';
export const s3Region = 'eu-central-1';

/** Starts a server. `pageSize` is the number of objects per page of a list. */
export async function startS3Server({ pageSize = 1_000 } = {}): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  let requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    if (!isSigned(request, url)) return void response.writeHead(403).end();
    const [, bucket, ...parts] = url.pathname.split('/');
    if (bucket !== s3Bucket) return void response.writeHead(404).end();
    if (url.searchParams.get('list-type') === '2') {
      requests.push('LIST');
      response.setHeader('content-type', 'application/xml');
      return void response.end(listOf(objects, url.searchParams, pageSize));
    }
    const key = decodeURIComponent(parts.join('/'));
    requests.push(`GET ${key}`);
    state.beforeAnswer();
    const body = objects.get(key);
    if (body === undefined) return void response.writeHead(404).end();
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const state: S3Server = {
    url: `http://127.0.0.1:${port}`,
    objects,
    beforeAnswer() {},
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

function listOf(objects: S3Server['objects'], query: URLSearchParams, pageSize: number): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const encode = (key: string) => encodeURIComponent(key).replaceAll('%2F', '/');
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const contents = page.map((key) => {
    const etag = createHash('md5')
      .update(objects.get(key) ?? '')
      .digest('hex');
    return `<Contents><Key>${encode(key)}</Key><ETag>&quot;${etag}&quot;</ETag></Contents>`;
  });
  const isTruncated = keys.length > pageSize;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${isTruncated}</IsTruncated>${next}<EncodingType>url</EncodingType>${contents.join('')}</ListBucketResult>`;
}

/** Checks Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
  const parts =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/;
  const [, id, day = '', region = '', names = '', signature] =
    parts.exec(headers.authorization ?? '') ?? [];
  if (id !== s3Key.id || region !== s3Region) return false;
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)));
  const payload = String(headers['x-amz-content-sha256']);
  const request = [method, path.join('/'), query.join('&'), signed.join(''), names, payload];
  const hash = createHash('sha256').update(request.join('\n')).digest('hex');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${hash}`;
  const hmac = (key: string | Buffer, value: string) =>
    createHmac('sha256', key).update(value).digest();
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${s3Key.secret}`,
  );
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
