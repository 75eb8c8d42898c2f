import { ConfigError } from '../config/config.ts';
import { DomainError } from '../platform/errors.ts';
import { describeListenError, ListenError } from './listen-error.ts';

/**
 * Describes why the service did not start. For an error that an operator can fix, returns one plain sentence without a
 * stack. `portSetting` is the setting of the port that the process listens on.
 */
export function describeStartError(error: unknown, portSetting = 'PORT'): string {
  if (error instanceof ListenError) return describeListenError(error, portSetting);
  if (error instanceof ConfigError || error instanceof DomainError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return messageByCode[code]?.(error) ?? error.stack ?? error.message;
}

const cannotConnect = (error: Error) =>
  `Cannot connect to the database: ${error.message || 'no response'}. Check DATABASE_URL.`;

const cannotVerify = (error: Error) =>
  `The certificate of the database cannot be verified: ${error.message}. Add sslmode=verify-full and sslrootcert=<file of the CA> to DATABASE_URL.`;

const cannotUseFolder = (error: Error) =>
  `Cannot use the data directory: ${error.message}. Check DATA_DIR: it must be a folder that this user may write to.`;

/** Error messages for the error codes of Node and Postgres. */
const messageByCode: Readonly<Record<string, (error: Error) => string>> = {
  ECONNREFUSED: cannotConnect,
  ENOTFOUND: cannotConnect,
  ETIMEDOUT: cannotConnect,
  // Postgres codes: no host accepts writes, wrong password, unknown role, unknown database, too many connections.
  '08001': cannotConnect,
  '28P01': cannotConnect,
  '28000': cannotConnect,
  '3D000': cannotConnect,
  '53300': (error) =>
    `The database has no connection left: ${error.message}. Lower DATABASE_POOL_SIZE of all processes, or raise the limit.`,
  // Postgres code: query_canceled, here by the statement timeout.
  '57014': (error) =>
    `The database does not answer in time: ${error.message}. Another process may have locked its tables, such as "npm run cli -- move", which locks its target until it has finished. Start again then.`,
  SELF_SIGNED_CERT_IN_CHAIN: cannotVerify,
  DEPTH_ZERO_SELF_SIGNED_CERT: cannotVerify,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: cannotVerify,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: cannotVerify,
  CERT_HAS_EXPIRED: cannotVerify,
  CERT_SIGNATURE_FAILURE: cannotVerify,
  ERR_TLS_CERT_ALTNAME_INVALID: cannotVerify,
  EEXIST: cannotUseFolder,
  ENOENT: (error) =>
    Reflect.get(error, 'syscall') === 'mkdir'
      ? cannotUseFolder(error)
      : (error.stack ?? error.message),
  ENOTDIR: cannotUseFolder,
  EACCES: cannotUseFolder,
  EPERM: cannotUseFolder,
  EROFS: cannotUseFolder,
  ENOSPC: cannotUseFolder,
};
