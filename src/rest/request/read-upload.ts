import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import multer from 'multer';

import { decodeEncodedWords } from '../../extract/encoding/decode-encoded-words.ts';
import { supportedFormats } from '../../extract/file-formats.ts';
import { sanitizeFileName } from '../../http/sanitize-file-name.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  createUploadDirectory,
  markUploadedFile,
  type UploadedFile,
} from '../../platform/storage/uploaded-file.ts';
import type { ObjectSchema } from './operations.ts';
import {
  maxFieldBytes,
  maxFieldsBytes,
  maxFormFields,
  readFormFields,
} from './read-form-fields.ts';
import type { JsonObject } from './read-json-body.ts';

export interface Upload extends AsyncDisposable {
  readonly file: UploadedFile;
  /** The validated fields that were sent with the file. */
  readonly fields: JsonObject;
}

export interface UploadLimits {
  readonly limitBytes: number;
  /** Fields that may be sent with the file. */
  readonly fields: ObjectSchema;
}

/**
 * Reads a multipart body with fields and one file in the part `file`. After an error, no data stays on disk.
 * @throws DomainError PAYLOAD_TOO_LARGE as soon as the file exceeds `limitBytes`.
 * @throws DomainError VALIDATION_FAILED when the file is missing or fields are not valid.
 * @throws DomainError MALFORMED_REQUEST when the multipart body is malformed or incomplete.
 */
export async function readUpload(
  request: Request,
  response: Response,
  { limitBytes, fields }: UploadLimits,
): Promise<Upload> {
  requireMultipart(request);
  if (Number(request.get('Content-Length')) > limitBytes + maxOverheadBytes) {
    throw tooLarge(limitBytes);
  }
  const directory = await createUploadDirectory();
  const dispose = () => rm(directory, { recursive: true, force: true });
  try {
    const file = await receiveFile(request, response, join(directory, 'file'), limitBytes);
    const values = readFormFields(request.body, fields);
    return { file, fields: values, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Maximum size of everything except the file: part headers, boundaries and fields. */
const maxOverheadBytes = 65_536 + maxFieldsBytes;
const maxHeadBytes = 65_536;

export function isMultipart(request: Request): boolean {
  return /^multipart\/form-data\s*;/i.test(request.get('Content-Type') ?? '');
}

function requireMultipart(request: Request): void {
  if (/^multipart\/form-data\s*;.*boundary=/is.test(request.get('Content-Type') ?? '')) return;
  throw new DomainError(
    'MALFORMED_REQUEST',
    'The Content-Type must be multipart/form-data with a boundary, and the file must be in the part named file',
  );
}

/**
 * Receives the file with multer. Multer reports errors only after it has read the complete request, so this function
 * checks the size while data arrives. If the request is already destroyed, multer would never report an error.
 */
function receiveFile(
  request: Request,
  response: Response,
  path: string,
  limitBytes: number,
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(incomplete());
    let received: UploadedFile | null = null;
    const storage: multer.StorageEngine = {
      _handleFile(_request, file, done) {
        file.stream.once('limit', () => reject(tooLarge(limitBytes)));
        storeFile(file, path).then((stored) => {
          received = stored;
          done(null, {});
        }, done);
      },
      _removeFile: (_request, _file, done) => done(null),
    };
    const limits = { ...partLimits, fileSize: limitBytes };
    const read = multer({ storage, limits, defParamCharset: 'utf8', preservePath: true }).single(
      'file',
    );
    read(request, response, (error: unknown) => {
      if (error != null) reject(toUploadError(error, limitBytes));
      else if (received === null)
        reject(invalid('file is required: send a part named file with a file'));
      else resolve(received);
    });
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limitBytes + maxOverheadBytes) reject(tooLarge(limitBytes));
    });
  });
}

const partLimits = {
  files: 1,
  fields: maxFormFields,
  fieldSize: maxFieldBytes,
  headerPairs: 50,
  fieldNameSize: 100,
};

async function storeFile(file: Express.Multer.File, path: string): Promise<UploadedFile> {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let sizeBytes = 0;
  const inspect = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (sizeBytes < maxHeadBytes) head.push(chunk.subarray(0, maxHeadBytes - sizeBytes));
      sizeBytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(file.stream, inspect, createWriteStream(path, { mode: 0o600 }));
  return markUploadedFile({
    // .NET programs encode file names as in e-mail headers (RFC 2047).
    name: sanitizeFileName(await decodeEncodedWords(file.originalname)) || 'document',
    path,
    sizeBytes,
    sha256: hash.digest('hex'),
    head: Buffer.concat(head),
  });
}

function toUploadError(error: unknown, limitBytes: number): unknown {
  if (error instanceof multer.MulterError) return fromMulterError(error, limitBytes);
  if (error instanceof Error && 'syscall' in error) return error;
  return incomplete(error);
}

function incomplete(cause?: unknown): DomainError {
  return new DomainError('MALFORMED_REQUEST', 'The multipart body is malformed or incomplete', {
    cause,
  });
}

function fromMulterError(error: multer.MulterError, limitBytes: number): DomainError {
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge(limitBytes);
  if (error.code === 'LIMIT_UNEXPECTED_FILE' && error.field !== 'file') {
    return invalid('file must be in the part named file');
  }
  if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
    return invalid('file must be a single file');
  }
  if (error.code === 'LIMIT_FIELD_COUNT' || error.code === 'LIMIT_PART_COUNT') {
    return invalid(`file must be beside at most ${maxFormFields} fields`);
  }
  return invalid('file must be a file, and fields beside it must be short texts');
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `${message}. Supported formats: ${supportedFormats}`);
}

function tooLarge(limitBytes: number): DomainError {
  return new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The file exceeds the plan's limit of ${limitBytes} bytes`,
  );
}
