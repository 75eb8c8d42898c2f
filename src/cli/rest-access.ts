import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { type CommandInvocation, stringOption, UsageError } from './command.ts';
import type { RestAccess } from './rest-client.ts';
import { serviceUrl } from './service-url.ts';

/** Options of a command that works by REST, or without a key on the database of the settings. */
export const restOptions = {
  project: stringOption,
  url: stringOption,
  key: stringOption,
  'key-file': stringOption,
} as const;

/**
 * Returns the service to call by REST. Returns null without a key: the command then works on the database of the
 * settings.
 */
export async function readRestAccess(
  config: Config,
  call: CommandInvocation,
): Promise<RestAccess | null> {
  const key = await readKey(call);
  if (key === null) {
    if (call.option('url') !== undefined) throw new UsageError('--url needs --key or --key-file');
    return null;
  }
  const url = call.option('url') ?? serviceUrl(config);
  requireWebAddress('url', url);
  return { url, key, projectId: call.option('project') ?? null };
}

/**
 * Returns the key in `--key-file` or `--key`, or null if there is neither.
 * @throws UsageError when the file cannot be read, or the key is blank
 */
async function readKey(call: CommandInvocation): Promise<string | null> {
  const file = call.option('key-file');
  const text = file === undefined ? call.option('key') : await readKeyFile(file);
  if (text === undefined) return null;
  const key = text.trim();
  if (key === '') throw new UsageError(`--${file === undefined ? 'key' : 'key-file'} is blank`);
  return key;
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--key-file cannot be read: ${reason}`);
  }
}

/** @throws UsageError when the value of the option is not a web address */
export function requireWebAddress(option: string, value: string): void {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return;
  throw new UsageError(`--${option} must be an address that starts with http:// or https://`);
}
