import { type SupabaseProjectWithRealtime, startSupabaseProjectWith } from './supabase-project.ts';

/** Whether the services of tests use Supabase's Storage and Realtime, by their stand-ins, in place of files and NOTIFY. */
export function usesSupabase(): boolean {
  return process.env.TEST_SUPABASE === '1';
}

const projects = new Map<
  string,
  { users: number; project: Promise<SupabaseProjectWithRealtime> }
>();

/** The project that a database belongs to: one for all services on it, from the first of them to the last. */
export async function joinSupabaseProject(databaseUrl: string): Promise<{
  readonly project: SupabaseProjectWithRealtime;
  leave(): Promise<void>;
}> {
  const shared = projects.get(databaseUrl) ?? {
    users: 0,
    project: startSupabaseProjectWith(databaseUrl),
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
