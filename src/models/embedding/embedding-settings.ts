import { defaultPrefixes, type EmbeddingPrefixes } from './embedding-prefixes.ts';

/** Parameters of the calls of a model. Vectors that were computed with different ones cannot be compared. */
export interface EmbeddingSettings {
  readonly model: string;
  readonly prefixes: EmbeddingPrefixes;
  /** Number of dimensions to request. Null for the model's own. */
  readonly dimensions: number | null;
}

/** The operator's settings. Null for the default of the model. */
export interface EmbeddingOverrides {
  readonly queryPrefix: string | null;
  readonly documentPrefix: string | null;
  readonly dimensions: number | null;
}

export const noOverrides: EmbeddingOverrides = {
  queryPrefix: null,
  documentPrefix: null,
  dimensions: null,
};

export function embeddingSettings(model: string, overrides: EmbeddingOverrides): EmbeddingSettings {
  const known = defaultPrefixes(model);
  const query = overrides.queryPrefix ?? known.query;
  const document = overrides.documentPrefix ?? known.document;
  return { model, prefixes: { query, document }, dimensions: overrides.dimensions };
}

/**
 * Returns the name that is stored with vectors: the model, and what changes the vectors of documents. The prefix of
 * queries is not stored in them. A model without document prefix and dimensions has its plain name.
 */
export function storedModelName({ model, prefixes, dimensions }: EmbeddingSettings): string {
  const parameters = new URLSearchParams();
  if (prefixes.document !== '') parameters.set('document', prefixes.document);
  if (dimensions !== null) parameters.set('dimensions', String(dimensions));
  return parameters.size === 0 ? model : `${model}?${parameters}`;
}

/**
 * Returns the settings for a stored name. Queries get their prefix only if documents have the configured one, because
 * models are trained with both or none.
 */
export function parseStoredModelName(
  name: string,
  overrides: EmbeddingOverrides,
): EmbeddingSettings {
  const [, model = name, parameters = ''] =
    /^(.*)\?((?:document|dimensions)=.*)$/s.exec(name) ?? [];
  const stored = new URLSearchParams(parameters);
  const configured = embeddingSettings(model, overrides);
  const document = stored.get('document') ?? '';
  const query = document === configured.prefixes.document ? configured.prefixes.query : '';
  const dimensions = Number(stored.get('dimensions')) || null;
  return { model, prefixes: { query, document }, dimensions };
}
