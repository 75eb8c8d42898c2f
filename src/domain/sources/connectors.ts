import { DomainError } from '../../platform/errors.ts';
import type { Prisma, Source } from '../../platform/postgres/generated/prisma/client.ts';
import type { SourceKind } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import type { Connector } from './connector.ts';
import { gitConnector } from './git/git-connector.ts';
import { notionConnector } from './notion/notion-connector.ts';
import { s3Connector } from './s3/s3-connector.ts';
import type { SourceConfigInput, StoredSourceConfig } from './source-config.ts';
import { websiteConnector } from './website/website-run.ts';

/** The connector of each kind of source. */
export const connectors: Readonly<Record<SourceKind, Connector>> = {
  WEBSITE: websiteConnector,
  GIT: gitConnector,
  S3: s3Connector,
  NOTION: notionConnector,
};

type StoredPart = Pick<Source, 'id' | 'kind' | 'config' | 'secret'>;

const maxSecretLength = 4_096;

/** Returns the configuration of a source for callers, without the secret. */
export function configOf({ kind, config, secret }: Source): StoredSourceConfig {
  const hasSecret = connectors[kind].secretField === null ? {} : { hasSecret: secret !== null };
  return { ...(config as object), ...hasSecret };
}

/**
 * Returns the configuration to store. If the input has a secret, also returns the secret. An empty secret in the input
 * removes the stored secret.
 */
export function readConfigInput(
  { secretBox }: Pick<Context, 'secretBox'>,
  { id, kind, config: current, secret: currentSecret }: StoredPart,
  input: SourceConfigInput,
): { config: Prisma.InputJsonObject; secret?: string | null } {
  const { fields, secretField, isSecretRequired, secretTarget, requireValidConfig } =
    connectors[kind];
  const foreign = Object.entries(input).flatMap(([name, value]) =>
    value != null && !(fields as readonly string[]).includes(name)
      ? [`config.${name} is not a setting of a source of the kind ${kind}`]
      : [],
  );
  if (foreign.length > 0) throw new DomainError('VALIDATION_FAILED', foreign);
  const config = requireValidConfig(input, current) as Prisma.InputJsonObject;
  const secret = secretField === null ? null : input[secretField];
  if (isSecretRequired && (secret ?? currentSecret ?? '') === '') {
    throw new DomainError('VALIDATION_FAILED', [`config.${secretField} is required`]);
  }
  if (secret == null) {
    // A caller who may change the address must not be able to send the stored secret to another address.
    if (currentSecret !== null && secretTarget(config) !== secretTarget(current)) {
      throw new DomainError('VALIDATION_FAILED', [
        `config.${secretField} is required when the address changes`,
      ]);
    }
    return { config };
  }
  if (secret.length > maxSecretLength || !/^[\x21-\x7e]*$/.test(secret)) {
    throw new DomainError('VALIDATION_FAILED', [
      `config.${secretField} must have at most ${maxSecretLength} visible ASCII characters`,
    ]);
  }
  return { config, secret: secret === '' ? null : secretBox.encrypt(secret, id) };
}

/** Returns the decrypted secret of a source, or null. */
export function secretOf({ secretBox }: Pick<Context, 'secretBox'>, source: Source): string | null {
  return source.secret === null ? null : secretBox.decrypt(source.secret, source.id);
}
