import { builtInChatModel } from '../../../src/models/extractive/built-in-chat-model.ts';
import type { EmbeddingModel, Source } from '../../../src/models/models.ts';
import { hashEmbedding } from '../hash-embedding.ts';

const embedding: EmbeddingModel = {
  name: 'hash-64',
  embed: async (texts) => ({ vectors: texts.map(hashEmbedding), tokens: texts.length }),
};
const model = builtInChatModel({ embedding });

/** Returns the answer of the built-in chat model to a question. Each text is one source. */
export async function askBuiltIn(
  question: string,
  ...sources: readonly (string | Source)[]
): Promise<string> {
  const request = {
    history: [],
    question,
    instructions: null,
    sources: sources.map((source) =>
      typeof source === 'string'
        ? { documentName: 'document.md', context: '', content: source }
        : source,
    ),
  };
  let answer = '';
  for await (const part of model.answer(request, new AbortController().signal)) {
    if (part.type === 'text') answer += part.text;
  }
  return answer;
}
