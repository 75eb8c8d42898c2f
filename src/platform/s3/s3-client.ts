import { AwsV4Signer } from 'aws4fetch';
import type { WebClient, WebResult } from '../web/web-client.ts';
import { readObjectList, type S3ObjectList } from './object-list.ts';

/** Reads a bucket of Amazon S3, or of any server with the same interface. */
export interface S3Client {
  /**
   * Returns one page of objects, sorted by key. `after` is the token that the previous page returned, or null for the
   * first page.
   */
  list(prefix: string, after: string | null): Promise<S3ObjectList | S3Failure>;
  /** Returns the content of an object. */
  get(key: string, maxBytes: number): Promise<Buffer | S3Failure>;
}

export interface S3Failure {
  readonly reason: string;
  /** True if a retry cannot succeed: the object does not exist, or exceeds `maxBytes`. */
  readonly isFinal: boolean;
}

export interface S3Access {
  /** Address of the server, such as `https://s3.example.com`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly pathStyle: boolean;
  /** Key that signs the requests. Null: requests are not signed. */
  readonly key: { readonly id: string; readonly secret: string } | null;
}

const listBytes = 10_000_000;
const readTimeoutMs = 120_000;

export function createS3Client(web: WebClient, access: S3Access, signal: AbortSignal): S3Client {
  const base = new URL(access.endpoint);
  if (!access.pathStyle) base.hostname = `${access.bucket}.${base.hostname}`;
  const root = `${base.origin}/${access.pathStyle ? `${access.bucket}/` : ''}`;

  const send = async (url: string, maxBytes: number): Promise<WebResult> => {
    // The signature does not cover `accept` and the headers that the web client adds. An object is decompressed only if
    // it was stored with a content encoding.
    const headers = { ...(await sign(url, access)), accept: '*/*' };
    return web.send({ url, headers, maxBytes, timeoutMs: readTimeoutMs }, signal);
  };

  return {
    async list(prefix, after) {
      const query = new URLSearchParams({
        ...{ 'list-type': '2', 'max-keys': '1000', 'encoding-type': 'url', prefix },
        ...(after !== null && { 'continuation-token': after }),
      });
      const result = await send(`${root}?${query.toString().replaceAll('+', '%20')}`, listBytes);
      if (result.type === 'failure') return { reason: result.reason, isFinal: false };
      if (result.status !== 200) return { reason: statusReason(result.status), isFinal: false };
      return (
        readObjectList(result.body.toString('utf8')) ?? {
          reason: 'The server has not sent a complete list of objects. Check its address',
          isFinal: false,
        }
      );
    },
    async get(key, maxBytes) {
      const result = await send(`${root}${encodeKey(key)}`, maxBytes);
      if (result.type === 'failure') {
        return { reason: result.reason, isFinal: result.isTooLarge === true };
      }
      if (result.status === 200) return result.body;
      return { reason: statusReason(result.status), isFinal: result.status === 404 };
    },
  };
}

async function sign(url: string, { key, region }: S3Access): Promise<Record<string, string>> {
  if (key === null) return {};
  const signer = new AwsV4Signer({
    ...{ url, method: 'GET', service: 's3', region },
    ...{ accessKeyId: key.id, secretAccessKey: key.secret },
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}

/** Encodes a key as the signature requires: encodes all characters except unreserved characters and slashes. */
function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', '/');
}

function statusReason(status: number): string {
  if (status === 301 || status === 307)
    return 'The bucket is at another endpoint or in another region';
  if (status === 400) return 'The server refuses the request: check the region and the access key';
  if (status === 401 || status === 403) return 'The server refuses access: check the access key';
  if (status === 404) return 'The bucket or the object does not exist';
  return `The server answered ${status}`;
}
