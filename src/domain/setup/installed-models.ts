import type { CalledModel, RecentCalls } from '../../models/availability/call-record.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';

/** A model that answers, searches or reads files of the project. All projects of the installation share it. */
export interface InstalledModel extends RecentCalls {
  readonly kind: CalledModel | 'OCR';
  /** Null if there is no such model. */
  readonly name: string | null;
  /** Host of the model server. Null for a model that runs in this process. */
  readonly host: string | null;
  /** Whether the latest call succeeded. Null before the first call, and for a model whose calls are not recorded. */
  readonly isHealthy: boolean | null;
}

/**
 * Returns the models that serve the project. Contains no error texts, because those of a provider may quote secrets.
 * @throws DomainError from `requireProject`
 */
export async function listInstalledModels(
  context: Context,
  input: { readonly projectId: string },
): Promise<InstalledModel[]> {
  await requireProject(context, input.projectId, 'organization:manage');
  const { chat, reranker, configuredEmbedding, hosts, calls } = context.models;
  const { model } = await context.models.servingEmbedding();
  const embedding = (model ?? configuredEmbedding).name;
  const describe = (kind: CalledModel, name: string | null, host: string | null) => {
    const recent = calls.of(kind);
    return { kind, name, host, isHealthy: isHealthy(recent), ...recent };
  };
  return [
    describe('CHAT', chat.name, chat.isExtractive ? null : hosts.openAi),
    describe('EMBEDDING', embedding, embedding.startsWith('built-in/') ? null : hosts.openAi),
    describe('RERANKER', reranker?.name ?? null, reranker && hosts.rerank),
    { kind: 'OCR', name: 'Tesseract', host: null, isHealthy: null, ...unrecorded },
  ];
}

const unrecorded: RecentCalls = { lastSucceededAt: null, lastFailedAt: null, medianMs: null };

function isHealthy({ lastSucceededAt, lastFailedAt }: RecentCalls): boolean | null {
  if (lastFailedAt === null) return lastSucceededAt === null ? null : true;
  return lastSucceededAt !== null && lastSucceededAt > lastFailedAt;
}
