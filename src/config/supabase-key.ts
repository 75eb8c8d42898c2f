/**
 * Returns the problem with a secret key of a Supabase project, or null. With a publishable key, Storage would refuse
 * each upload.
 */
export function findSecretKeyProblem(key: string | undefined): string | null {
  if (key === undefined || (!key.startsWith('sb_publishable_') && roleOf(key) !== 'anon'))
    return null;
  return 'SUPABASE_SECRET_KEY is not usable: it is a publishable key, and must be a secret one (sb_secret_… or the service_role key)';
}

/** Returns the role of a key in the older format, a JWT. */
function roleOf(key: string): unknown {
  try {
    return JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()).role;
  } catch {
    return null;
  }
}
