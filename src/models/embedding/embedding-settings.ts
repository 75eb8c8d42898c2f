import { defaultPrefixes, type EmbeddingPrefixes } from './embedding-prefixes.ts';

/** Parameters with which a model is called. Vectors that were computed with different parameters cannot be compared. */
export interface EmbeddingSettings {
  readonly model: string;
  readonly prefixes: EmbeddingPrefixes;
  /** Number of dimensions to request. Null means the default number of the model. */
  readonly dimensions: number | null;
}

/** Settings of the operator. Null means the default of the model. */
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
 * Returns the name that is stored with vectors. It contains the model and the settings that change the vectors of
 * documents. The prefix of queries does not change these vectors, so it is not in the name. If the model has neither a
 * document prefix nor dimensions, the name is only the model.
 */
export function storedModelName({ model, prefixes, dimensions }: EmbeddingSettings): string {
  const parameters = new URLSearchParams();
  if (prefixes.document !== '') parameters.set('document', prefixes.document);
  if (dimensions !== null) parameters.set('dimensions', String(dimensions));
  return parameters.size === 0 ? model : `${model}?${parameters}`;
}

/**
 * Returns the settings for a stored name, or for the name of a model. A model without parameters gets its default
 * prefixes.
 */
export function parseModelName(name: string): EmbeddingSettings {
  const stored = parseStoredModelName(name, noOverrides);
  return stored.model === name ? embeddingSettings(name, noOverrides) : stored;
}

/**
 * Returns the settings for a stored name. Queries get the configured prefix only if the stored documents have the
 * configured document prefix, because models are trained with both prefixes or with none.
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
