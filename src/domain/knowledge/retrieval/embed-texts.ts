import { DomainError } from '../../../platform/errors.ts';
import type { Context } from '../../context.ts';
import { requireProjectId } from '../../organizations/require-project.ts';

/** Vectors of texts, from the embedding model that searches use. */
export interface EmbeddedTexts {
  readonly model: string;
  /** Unit vectors, in the order of the texts. */
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
}

/**
 * Embeds texts for the client's own use, and counts their tokens. The questions of end users have priority over these
 * texts.
 *
 * @throws DomainError from `requireProjectId`.
 * @throws DomainError UNAVAILABLE when the model that created the stored vectors is not configured.
 * @throws DomainError MODEL_ERROR when the embedding model fails.
 */
export async function embedTexts(
  context: Context,
  input: { readonly projectId?: string | null; readonly texts: readonly string[] },
): Promise<EmbeddedTexts> {
  const projectId = await requireProjectId(context, input.projectId, 'knowledge:read');
  const { model } = await context.models.servingEmbedding();
  if (model === null) {
    throw new DomainError('UNAVAILABLE', 'The embedding model of the documents is not configured');
  }
  const { vectors, tokens } = await model.embed(input.texts, { signal: context.signal });
  context.tokenCounter.add(projectId, [{ model: model.name, kind: 'EMBEDDING', tokens }]);
  return { model: model.name, vectors, tokens };
}
