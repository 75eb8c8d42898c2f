/** Value of `SECRETS_KEY` for services that share a database but have separate data directories. */
export const testSecretsKey = Buffer.alloc(32, 'a key for tests').toString('base64');
