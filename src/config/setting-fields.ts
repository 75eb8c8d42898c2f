import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { hostUrls, targetSessionAttributes } from '../platform/postgres/database-url.ts';
import { trimTrailingSlashes } from '../platform/trim-trailing-slashes.ts';

// Formats of settings. In the environment, each setting is a text.

const text = z.string();

export function port(example: string) {
  return text
    .refine(
      (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535,
      `must be a whole number from 0 to 65535, such as ${example}`,
    )
    .transform(Number);
}

export function wholeNumber(least: number, most: number) {
  return text
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `must be a whole number from ${least} to ${most}`,
    )
    .transform(Number);
}

/** A share from 0 to 1, or `off` for 0. */
export function share() {
  return text
    .refine(
      (value) => /^(?:off|0|1|[01]\.\d{1,6})$/.test(value) && !(Number(value) > 1),
      'must be off, or a share from 0 to 1, such as 0.1',
    )
    .transform((value) => (value === 'off' ? 0 : Number(value)));
}

/**
 * A text that precedes each input of a model. `none` means an empty prefix, because an empty variable counts as not
 * set. Values lose trailing spaces, so a prefix that ends with a colon gets a space.
 */
export function prefix() {
  return text
    .max(500, 'must have at most 500 characters')
    .transform((value) =>
      value === 'none' ? '' : value.replaceAll('\\n', '\n').replace(/:$/, ': '),
    );
}

export function url(protocol: RegExp, message: string) {
  return text.refine((value) => isUrl(value, protocol), message).transform(trimTrailingSlashes);
}

function isUrl(value: string, protocol: RegExp): boolean {
  const parsed = URL.parse(value);
  return parsed !== null && protocol.test(parsed.protocol.slice(0, -1)) && parsed.host !== '';
}

const postgresUrlMessage =
  'must be a Postgres URL, such as postgresql://user:password@host:5432/database';

/** An address with one host, or with several: `postgresql://user:password@a:5432,b:5432/database`. */
export function postgresUrl() {
  return text
    .refine((value) => hostUrls(value).every(isPostgresUrl), postgresUrlMessage)
    .refine((value) => {
      const attributes = targetSessionAttributes(value);
      return attributes === null || /^(?:read-write|primary)$/.test(attributes);
    }, 'must have target_session_attrs=read-write, target_session_attrs=primary or none of both, because the service writes')
    .refine(
      (value) => hostUrls(value).length === 1 || !/[?&](?:host|port)=/.test(value),
      'must not have the parameters host and port, because its address already names several hosts',
    )
    .transform(trimTrailingSlashes);
}

function isPostgresUrl(value: string): boolean {
  return isUrl(value, /^postgres(ql)?$/);
}

/** One or more addresses, separated by commas, with one host each. */
export function postgresUrls() {
  return text
    .refine(
      (list) => !list.split(',').some((part, at) => at > 0 && /^(?!.*:\/\/).*\S/.test(part)),
      'must have one host in each address, such as postgresql://user:password@a:5432/database,postgresql://user:password@b:5432/database',
    )
    .transform((list) => list.split(',').map((address) => trimTrailingSlashes(address.trim())))
    .pipe(
      z
        .array(
          text
            .refine(isPostgresUrl, postgresUrlMessage)
            .refine(
              (value) => targetSessionAttributes(value) === null,
              'must not have target_session_attrs, because each address is used whenever its host is a standby',
            ),
        )
        .max(16, 'must have at most 16 addresses'),
    );
}

const booleans = ['true', 'false', '1', '0', 'yes', 'no'] as const;

export function flag() {
  return oneOf(booleans).transform((value) => ['true', '1', 'yes'].includes(value));
}

export function mailServer() {
  return url(
    /^smtps?$/,
    'must be the address of a mail server, such as smtp://user:password@mail.example.com:587',
  );
}

/** An e-mail address, with or without a name: `Help desk <chat@example.com>`. */
export function sender() {
  return text
    .max(300, 'must have at most 300 characters')
    .regex(
      /^(?:[^<>\p{Cc}@,;]{1,200}<[^<>@\s,;]{1,64}@[^<>@\s,;]{1,200}>|[^<>@\s,;]{1,64}@[^<>@\s,;]{1,200})$/u,
      'must be an e-mail address, such as chat@example.com or Help desk <chat@example.com>',
    );
}

/** The address of a server without a path. */
export function origin(example: string) {
  return text
    .transform((value) => value.replace(/\/$/, ''))
    .refine(isOrigin, `must be an address without a path, such as ${example}`);
}

function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.parse(value)?.origin === value;
}

/** Origins as browsers send them, separated by commas. */
export function origins() {
  return text
    .transform((value) => value.split(',').map((origin) => origin.trim().replace(/\/$/, '')))
    .refine(
      (list) => list.every(isOrigin),
      'must be origins, separated by commas, such as https://app.example.com,http://localhost:5173',
    );
}

/** A number of processes, or `auto` for one per processor. */
export function processCount() {
  const message = 'must be a whole number from 1 to 64, or auto';
  return text
    .regex(/^(?:auto|[1-9]\d?)$/, message)
    .transform((value) => (value === 'auto' ? availableParallelism() : Number(value)))
    .refine((count) => count <= maxProcesses, message);
}

const maxProcesses = 64;

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}
