import type { Request } from 'express';
import { DomainError } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/is-json-object.ts';
import { findJsonError } from '../../platform/json-error-position.ts';
import type { ObjectSchema } from './operations.ts';

export type JsonObject = Record<string, unknown>;

/** The fields of a body. `isArray` is true if the body was an array: the value of its only required field. */
export interface JsonBody {
  readonly fields: JsonObject;
  readonly isArray: boolean;
}

/** Reads the body as `readJsonBodyOrList` does, and returns its fields. */
export async function readJsonBody(
  ...args: Parameters<typeof readJsonBodyOrList>
): Promise<JsonObject> {
  return (await readJsonBodyOrList(...args)).fields;
}

/**
 * Reads the body as a JSON object and converts its top-level texts to NFC. If the only required field is a list of
 * objects, the body may be this list.
 * @throws DomainError PAYLOAD_TOO_LARGE as soon as the body is longer than any valid body.
 * @throws DomainError MALFORMED_REQUEST when the body is not a JSON object in UTF-8.
 */
export async function readJsonBodyOrList(
  request: Request,
  body: { readonly schema: ObjectSchema; readonly isRequired: boolean },
): Promise<JsonBody> {
  if (!hasBody(request)) {
    if (!body.isRequired) return noFields;
    throw malformed('The request needs a body: a JSON object');
  }
  requireJson(request);
  const bytes = await readBytes(request, maxBodyBytes(body.schema));
  if (bytes.length === 0 && !body.isRequired) return noFields;
  const value = parseJson(bytes);
  const list = Array.isArray(value) ? listField(body.schema) : undefined;
  if (list !== undefined) return { fields: { [list]: value }, isArray: true };
  return { fields: normalizeStrings(requireObject(value)), isArray: false };
}

const noFields: JsonBody = { fields: {}, isArray: false };

function hasBody(request: Request): boolean {
  return (
    request.get('Transfer-Encoding') !== undefined || Number(request.get('Content-Length')) > 0
  );
}

function requireJson(request: Request): void {
  const [type = '', ...parameters] = (request.get('Content-Type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (type !== 'application/json' || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw malformed('The Content-Type must be application/json, in UTF-8');
  }
  const encoding = request.get('Content-Encoding') ?? 'identity';
  if (encoding !== 'identity') throw malformed('The body must not be compressed');
}

/**
 * One code point takes at most twelve bytes in JSON, for example `\ud83d\ude00`. A list of many items may have a
 * kilobyte for each.
 */
function maxBodyBytes(schema: ObjectSchema): number {
  const sizes = Object.values(schema.properties).map(
    ({ maxLength = 0, maxItems = 0 }) => 12 * maxLength + (maxItems > 1_000 ? 1_024 * maxItems : 0),
  );
  return 1_048_576 + sizes.reduce((sum, size) => sum + size, 0);
}

async function readBytes(request: Request, limitBytes: number): Promise<Buffer> {
  if (Number(request.get('Content-Length')) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const maxFields = 100;

function requireObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw malformed('The body must be a JSON object');
  if (Object.keys(value).length > maxFields) {
    throw malformed(`The body must not have more than ${maxFields} fields`);
  }
  return value;
}

/** Returns the name of the only required field if it is a list of objects. */
function listField({ properties, required = [] }: ObjectSchema): string | undefined {
  const [name, ...others] = required.filter((field) => field !== 'projectId');
  if (name === undefined || others.length > 0) return undefined;
  return properties[name]?.items?.type === 'object' ? name : undefined;
}

function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = findJsonError(text);
    const where = position === null ? '' : `: line ${position.line}, column ${position.column}`;
    throw malformed(`The body is not valid JSON${where}`, error);
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw malformed('The body is not valid UTF-8', error);
  }
}

/** `fromEntries` makes even `__proto__` a plain field, so that validation refuses it. */
function normalizeStrings(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => [
      field,
      typeof value === 'string' ? value.normalize('NFC') : value,
    ]),
  );
}

function malformed(message: string, cause?: unknown): DomainError {
  return new DomainError('MALFORMED_REQUEST', message, { cause });
}

function tooLarge(limitBytes: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `The body must be at most ${limitBytes} bytes`);
}
