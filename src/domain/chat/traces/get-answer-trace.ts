import { createDataLoader } from '../../../platform/data-loader.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Context } from '../../context.ts';
import { visibleDocumentIds } from '../../knowledge/filter/caller-filter.ts';
import { requireProject } from '../../organizations/require-project.ts';
import { requireProjectResource } from '../../organizations/require-project-resource.ts';
import { requirePermission } from '../../permissions.ts';
import type { AnswerTrace } from './answer-trace.ts';
import { decodeTrace } from './trace-format.ts';

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
): Promise<AnswerTrace | null> {
  requirePermission(context.caller, 'answer-traces:read');
  requirePermission(context.caller, 'conversations:read');
  return loadTrace(context, projectId, id, async (ids) => {
    await requireProject(context, projectId, 'answer-traces:read');
    const rows = await context.db.answerTrace.findMany({
      where: { projectId, messageId: { in: [...new Set(ids)] } },
    });
    const stored = rows.map(({ messageId, trace }) => ({ messageId, trace: decodeTrace(trace) }));
    const documentIds = stored.flatMap(({ trace }) => trace.hits.map((hit) => hit.documentId));
    const visible = new Set(
      await visibleDocumentIds(context, projectId, [...new Set(documentIds)]),
    );
    const traces = new Map(
      stored.map(({ messageId, trace }) => {
        const hits = trace.hits.filter(({ documentId }) => visible.has(documentId));
        return [messageId, { ...trace, hits }] as const;
      }),
    );
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
): Promise<AnswerTrace> {
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

const loadTrace = createDataLoader<string, AnswerTrace | null>();
