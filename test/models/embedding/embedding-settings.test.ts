import { expect, it } from 'vitest';
import { defaultPrefixes } from '../../../src/models/embedding/embedding-prefixes.ts';
import {
  embeddingSettings,
  noOverrides,
  parseModelName,
  parseStoredModelName,
  storedModelName,
} from '../../../src/models/embedding/embedding-settings.ts';

const passages = 'Represent this sentence for searching relevant passages: ';

it.each([
  ['intfloat/multilingual-e5-base', 'query: ', 'passage: '],
  ['jeffh/intfloat-multilingual-e5-large:f16', 'query: ', 'passage: '],
  ['BAAI/bge-small-en-v1.5', passages, ''],
  ['BAAI/bge-m3', '', ''],
  ['nomic-ai/nomic-embed-text-v1.5', 'search_query: ', 'search_document: '],
  ['nomic-embed-text', 'search_query: ', 'search_document: '],
  ['thenlper/gte-base', '', ''],
  ['snowflake-arctic-embed:110m', passages, ''],
  ['Snowflake/snowflake-arctic-embed-l-v2.0', 'query: ', ''],
  ['mxbai-embed-large', passages, ''],
  ['text-embedding-3-small', '', ''],
  ['phone5-model', '', ''],
])('%s expects the prefixes of its model card', (model, query, document) => {
  expect(defaultPrefixes(model)).toEqual({ query, document });
});

it('instruction models get an instruction before queries only', () => {
  for (const model of ['intfloat/multilingual-e5-large-instruct', 'Qwen/Qwen3-Embedding-0.6B']) {
    expect(defaultPrefixes(model).query).toMatch(/^Instruct: .*\nQuery: $/);
    expect(defaultPrefixes(model).document).toBe('');
  }
});

it('a stored name contains what changes the vectors of documents, and can be read again', () => {
  const overrides = { queryPrefix: null, documentPrefix: 'text & title? ', dimensions: 512 };
  const settings = embeddingSettings('org/model:latest', overrides);
  const name = storedModelName(settings);
  expect(name).toMatch(/^org\/model:latest\?/);
  expect(parseStoredModelName(name, overrides)).toEqual(settings);
  expect(storedModelName(embeddingSettings('plain', noOverrides))).toBe('plain');
  expect(storedModelName(embeddingSettings('bge-small-en', noOverrides))).toBe('bge-small-en');
});

it('vectors that were stored without a prefix are searched without one', () => {
  expect(parseStoredModelName('intfloat/e5-base', noOverrides)).toEqual({
    model: 'intfloat/e5-base',
    prefixes: { query: '', document: '' },
    dimensions: null,
  });
  expect(parseStoredModelName('bge-small-en', noOverrides).prefixes.query).toBe(passages);
});

it('a model to try has its default prefixes, unless the name contains parameters', () => {
  expect(parseModelName('intfloat/e5-base')).toEqual(
    embeddingSettings('intfloat/e5-base', noOverrides),
  );
  const name = storedModelName(parseModelName('intfloat/e5-base'));
  expect(parseModelName(name)).toEqual(parseModelName('intfloat/e5-base'));
  expect(parseModelName('plain?dimensions=256')).toMatchObject({ model: 'plain', dimensions: 256 });
});
