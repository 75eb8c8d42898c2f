import type { SourceRun } from '../../../src/domain/sources/sources.ts';
import { syncSource } from '../../../src/domain/sources/start-source-run.ts';
import type { TestService } from '../service.ts';
import { waitUntil } from '../wait-until.ts';

export interface SyncOptions {
  readonly confirmRemovals?: boolean;
}

/** Runs a source once and returns the finished run. */
export async function runSource(
  { system }: Pick<TestService, 'system'>,
  id: string,
  options: SyncOptions = {},
): Promise<SourceRun> {
  const { id: runId } = await syncSource(system, { id, ...options });
  const where = { id: runId, finishedAt: { not: null } };
  return waitUntil(() => system.db.sourceRun.findFirst({ where }), {
    timeoutMs: 120_000,
    intervalMs: 50,
  });
}

/** Returns the SHA-256 of each document of a source, by the path of the document. */
export async function sourceDocuments(
  { system }: Pick<TestService, 'system'>,
  sourceId: string,
): Promise<Record<string, string>> {
  const rows = await system.db.document.findMany({ where: { sourceId, deletedAt: null } });
  return Object.fromEntries(
    rows.map(({ externalId, contentHash }) => [
      externalId?.slice(sourceId.length + 1) ?? '',
      contentHash,
    ]),
  );
}

/** Returns the refusal reasons of a run, by path. */
export function reasonsOf({ refusals }: SourceRun): Record<string, string> {
  const list = refusals as { url: string; reason: string }[];
  return Object.fromEntries(list.map(({ url, reason }) => [url, reason]));
}
