import {
  type SupabaseProjectWithRealtime,
  startSupabaseProjectWithRealtime,
} from './supabase-project.ts';

/** Returns whether the tests run the service with simulated Supabase Storage and Realtime (`TEST_SUPABASE=1`). */
export function usesSupabase(): boolean {
  return process.env.TEST_SUPABASE === '1';
}

const projects = new Map<
  string,
  { users: number; project: Promise<SupabaseProjectWithRealtime> }
>();

/**
 * Returns the Supabase project of a database. All services on that database share the project. The last call of `leave`
 * closes it.
 */
export async function acquireSupabaseProject(databaseUrl: string): Promise<{
  readonly project: SupabaseProjectWithRealtime;
  leave(): Promise<void>;
}> {
  const shared = projects.get(databaseUrl) ?? {
    users: 0,
    project: startSupabaseProjectWithRealtime(databaseUrl),
  };
  shared.users += 1;
  projects.set(databaseUrl, shared);
  const project = await shared.project;
  return {
    project,
    async leave() {
      shared.users -= 1;
      if (shared.users > 0) return;
      projects.delete(databaseUrl);
      await project.close();
    },
  };
}
