import {
  type ChatEvent,
  type ChatResponse,
  chatResponseFields,
  citationFields,
} from '../chat/chat-response.ts';
import { graphql } from '../graphql/execute-graphql.ts';

/** A complete answer, with the additional data that OpenAI's API returns. */
export interface Answer extends ChatResponse {
  readonly finishReason: 'STOP' | 'LENGTH' | 'REFUSAL' | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How one of OpenAI's endpoints formats an answer. */
export interface AnswerFormat {
  /** The body of a response that is not streamed. */
  body(answer: Answer): object;
  /** The events of a stream, as text. */
  readonly stream: {
    start(ids: { readonly conversationId: string; readonly messageId: string }): string;
    delta(text: string): string;
    done(answer: Answer): string;
    error(error: { readonly message: string; readonly code: string }): string;
  };
}

const answerFields = `${chatResponseFields} finishReason inputTokens outputTokens` as const;

export const askMutation = graphql(`
  mutation ask($input: SendMessageInput!) { sendMessage(input: $input) { ${answerFields} } }
`);

/** An event with the fields that `askSubscription` selects. */
export type AnswerEvent =
  | Exclude<ChatEvent, { readonly __typename: 'ChatDone' }>
  | { readonly __typename: 'ChatDone'; readonly reply: Answer };

export const askSubscription = graphql(`
  subscription ask($input: SendMessageInput!) {
    chat(input: $input) {
      __typename
      ... on ChatMeta { conversationId messageId }
      ... on ChatSources { citations { ${citationFields} } confidence }
      ... on ChatDelta { text }
      ... on ChatDone { reply { ${answerFields} } }
      ... on ChatError { message code retryable }
    }
  }
`);

/** Returns those properties of an answer that OpenAI's format does not have. */
export function groundingOf({ confidence, citations, conversationId, messageId }: Answer): object {
  return { confidence, citations, conversation_id: conversationId, message_id: messageId };
}

/** A citation at its marker in the text. Positions count Unicode code points. The end is exclusive. */
export interface Annotation {
  readonly fileId: string;
  readonly fileName: string;
  readonly quote: string | null;
  /** `url` is the address of the document for readers. It is missing if the document has no address. */
  readonly link: { readonly url?: string };
  readonly start: number;
  readonly end: number;
}

/** Returns one annotation per marker `[n]`, in the order of the text. Citations without a marker come last. */
export function annotationsOf({ content, citations }: Answer): Annotation[] {
  let start = 0;
  let counted = 0;
  const found = [...content.matchAll(/\[(\d{1,3})\]/g)].flatMap((match) => {
    const citation = citations[Number(match[1]) - 1];
    if (citation === undefined) return [];
    start += countCodePoints(content.slice(counted, match.index));
    counted = match.index;
    return [{ citation, start, end: start + match[0].length }];
  });
  const marked = new Set(found.map(({ citation }) => citation));
  const end = countCodePoints(content);
  const unmarked = citations.filter((citation) => !marked.has(citation));
  return [...found, ...unmarked.map((citation) => ({ citation, start: end, end }))].map(
    ({ citation, ...position }) => ({
      fileId: citation.documentId,
      fileName: citation.documentName,
      quote: citation.quote,
      link: citation.sourceUrl === null ? {} : { url: citation.sourceUrl },
      ...position,
    }),
  );
}

function countCodePoints(text: string): number {
  return [...text].length;
}

/** The current time in seconds, as OpenAI's API counts it. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
