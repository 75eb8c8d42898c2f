/** Texts that a model expects in front of a query or a document. Empty for most models. */
export interface EmbeddingPrefixes {
  readonly query: string;
  readonly document: string;
}

const passages = 'Represent this sentence for searching relevant passages: ';
const instruction =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';

/** Prefixes from the model cards. The first pattern that matches the name of the model decides. */
const knownPrefixes: readonly (readonly [RegExp, EmbeddingPrefixes])[] = [
  [/e5-mistral|e5-.{0,60}-instruct|gte-qwen|qwen3-embedding/, { query: instruction, document: '' }],
  [/(?:^|[/_-])e5(?:$|[-_:])/, { query: 'query: ', document: 'passage: ' }],
  [/arctic-embed.{0,60}v2|arctic-embed2/, { query: 'query: ', document: '' }],
  [/arctic-embed|mxbai-embed-(?:large|xsmall)/, { query: passages, document: '' }],
  [/bge-(?:small|base|large)-en/, { query: passages, document: '' }],
  [
    /bge-(?:small|base|large)-zh/,
    { query: '为这个句子生成表示以用于检索相关文章：', document: '' },
  ],
  [/nomic-embed-(?:text|v)/, { query: 'search_query: ', document: 'search_document: ' }],
  [/embeddinggemma/, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
];

const noPrefixes: EmbeddingPrefixes = { query: '', document: '' };

/** Returns the prefixes of a model with a known name, such as `intfloat/multilingual-e5-base`. */
export function defaultPrefixes(model: string): EmbeddingPrefixes {
  const name = model.toLowerCase();
  return knownPrefixes.find(([pattern]) => pattern.test(name))?.[1] ?? noPrefixes;
}
