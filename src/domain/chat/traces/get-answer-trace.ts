import { createDataLoader } from '../../../platform/data-loader.ts';
import { notFound } from '../../../platform/errors.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import { callerFilter } from '../../knowledge/filter/caller-filter.ts';
import { filterSql } from '../../knowledge/filter/filter-sql.ts';
import { requireProject } from '../../organizations/require-project.ts';
import { requireProjectResource } from '../../organizations/require-project-resource.ts';
import { requirePermission } from '../../permissions.ts';
import type { AnswerTrace, TracedHit } from './answer-trace.ts';
import { decodeTrace } from './trace-format.ts';

/** A trace with the names that its documents have now. */
export interface ReadAnswerTrace extends AnswerTrace {
  readonly hits: readonly NamedHit[];
}

export interface NamedHit extends TracedHit {
  /** Null if the document was deleted. */
  readonly documentName: string | null;
}

/**
 * Returns the trace of an answer, or null if none is stored. If the calling API key has a filter, the trace has only hits
 * of documents that the key sees now. The caller must already have access to the message. If several traces are
 * requested together, the same statements read all of them.
 *
 * @throws DomainError from `requirePermission` and `requireProject`.
 */
export async function findAnswerTrace(
  context: Context,
  { id, projectId }: { readonly id: string; readonly projectId: string },
): Promise<ReadAnswerTrace | null> {
  requirePermission(context.caller, 'answer-traces:read');
  requirePermission(context.caller, 'conversations:read');
  return loadTrace(context, projectId, id, async (ids) => {
    await requireProject(context, projectId, 'answer-traces:read');
    const rows = await context.db.answerTrace.findMany({
      where: { projectId, messageId: { in: [...new Set(ids)] } },
    });
    const stored = rows.map(({ trace }) => decodeTrace(trace));
    const named = await nameHits(context, projectId, stored);
    const traces = new Map(rows.map(({ messageId }, index) => [messageId, named[index]]));
    return ids.map((id) => traces.get(id) ?? null);
  });
}

/**
 * Returns the trace of an answer by the id of its message.
 *
 * @throws DomainError from `requireProjectResource`.
 * @throws DomainError NOT_FOUND when no trace is stored.
 */
export async function getAnswerTrace(
  context: Context,
  { messageId, projectId }: { readonly messageId: string; readonly projectId?: string | null },
): Promise<ReadAnswerTrace> {
  requirePermission(context.caller, 'conversations:read');
  const { resource } = await requireProjectResource(
    context,
    'answer-traces:read',
    { what: 'Trace', id: messageId, projectId: projectId ?? null },
    (id) => context.db.message.findUnique({ where: { id }, select: { id: true, projectId: true } }),
  );
  const trace = await findAnswerTrace(context, resource);
  if (trace === null) throw notFound('Trace');
  return trace;
}

/**
 * Adds the names that the documents of the hits have now. If the calling API key has a filter, removes hits of documents
 * that the key does not see.
 */
export async function nameHits(
  context: Pick<Context, 'caller' | 'db'>,
  projectId: string,
  traces: readonly AnswerTrace[],
): Promise<readonly ReadAnswerTrace[]> {
  const hits = traces.flatMap((trace) => trace.hits);
  const names = await readNames(context, projectId, hits);
  const seesAll = callerFilter(context.caller) === null;
  return traces.map((trace) => ({
    ...trace,
    hits: trace.hits
      .filter(({ documentId }) => seesAll || names.has(documentId))
      .map((hit) => ({ ...hit, documentName: names.get(hit.documentId) ?? null })),
  }));
}

const loadTrace = createDataLoader<string, ReadAnswerTrace | null>();

/** Returns the names of the hits' documents, without those that were deleted or that the calling key does not see. */
async function readNames(
  { caller, db }: Pick<Context, 'caller' | 'db'>,
  projectId: string,
  hits: readonly TracedHit[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(hits.map(({ documentId }) => documentId))];
  if (ids.length === 0) return new Map();
  const filter = callerFilter(caller);
  const { sql, values } = filter === null ? { sql: 'true', values: [] } : filterSql(filter, 2);
  const rows = await runSql<{ id: string; name: string }>(
    db,
    `select d.id, d.name from grounded.documents d
     where d.project_id = $1::uuid and d.id = any ($2::uuid[]) and d.deleted_at is null and ${sql}`,
    [projectId, ids, ...values],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
