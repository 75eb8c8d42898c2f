import type { Model } from './model-operations.ts';

/** Returns what a model can and cannot do, and the variables of the server that change it. */
export function modelTexts({ kind, name, host }: Model): {
  readonly title: string;
  readonly ability: string;
  readonly variables: readonly string[];
} {
  switch (kind) {
    case 'CHAT':
      return {
        title: 'Chat',
        ability:
          host === null
            ? 'Quotes sentences of the documents. Made for English. Ignores instructions.'
            : 'Writes answers in its own words and in many languages. Follows instructions.',
        variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CHAT_MODEL'],
      };
    case 'EMBEDDING':
      return {
        title: 'Embedding',
        ability: `Finds passages by their meaning.${host === null ? ' Made for English.' : ''} After a change, run “reindex” on the server.`,
        variables: ['EMBEDDING_MODEL'],
      };
    case 'RERANKER':
      return {
        title: 'Reranking',
        ability:
          name === null
            ? 'The search sorts passages by words and meaning. A reranker sorts them more accurately.'
            : 'Sorts the passages that the search found.',
        variables: ['RERANK_BASE_URL', 'RERANK_MODEL'],
      };
    case 'OCR':
      return {
        title: 'Text recognition',
        ability:
          'Reads text in images and scans. Its languages are set in Answers, for each project.',
        variables: [],
      };
  }
}
