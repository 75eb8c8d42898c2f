/** `SECRETS_KEY` of services that share a database and have data directories of their own. */
export const testSecretsKey = Buffer.alloc(32, 'a key for tests').toString('base64');
