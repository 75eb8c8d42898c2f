import type { ChatLabels } from './labels.ts';
import type { Citation, Message } from './messages.ts';

interface MessageItemProps {
  readonly message: Message;
  readonly labels: ChatLabels;
  readonly onRate: (messageId: string, rating: 'UP' | 'DOWN') => void;
}

/** A message with its author, sources and rating. Use the attributes `data-role` and `data-status` in your styles. */
export function MessageItem({ message, labels, onRate }: MessageItemProps) {
  const { role, authorName, status, content, citations, messageId, rating } = message;
  const author =
    authorName ?? { USER: labels.you, AGENT: labels.agent }[role as string] ?? labels.assistant;
  const isRatable = role === 'ASSISTANT' && status === 'COMPLETED' && messageId !== null;
  return (
    <li data-role={role} data-status={status}>
      <strong>{author}</strong>
      <p style={{ whiteSpace: 'pre-wrap' }}>{content}</p>
      {citations.length > 0 && (
        <details>
          <summary>{labels.sources}</summary>
          <ol>
            {citations.map((citation) => (
              <li key={citation.chunkId}>
                <Source citation={citation} labels={labels} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {isRatable && (
        <p>
          {(['UP', 'DOWN'] as const).map((value) => (
            <button
              key={value}
              type="button"
              aria-pressed={rating === value}
              onClick={() => onRate(messageId, value)}
            >
              {value === 'UP' ? labels.helpful : labels.notHelpful}
            </button>
          ))}
        </p>
      )}
    </li>
  );
}

interface SourceProps {
  readonly citation: Citation;
  readonly labels: ChatLabels;
}

/** The addresses come from documents and are not trusted, so only `http` and `https` addresses become links. */
function Source({ citation, labels }: SourceProps) {
  const { documentName, sourceUrl, page, quote } = citation;
  const isWebAddress = sourceUrl !== null && /^https?:\/\//i.test(sourceUrl);
  return (
    <>
      {isWebAddress ? (
        <a href={sourceUrl} rel="noreferrer" target="_blank">
          {documentName}
        </a>
      ) : (
        documentName
      )}
      {page !== null && `, ${labels.page} ${page}`}
      {quote !== null && <blockquote>{quote}</blockquote>}
    </>
  );
}
