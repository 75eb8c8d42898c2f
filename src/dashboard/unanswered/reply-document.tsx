import { Text } from '@mantine/core';
import { usePermissions } from '../project/use-permissions.ts';
import { AnswerDocument } from './answer-document.tsx';
import { useAnswerPreview } from './use-answer-preview.ts';

/**
 * Creates a document from the reply of an agent. An operator who may not write documents sees a text that explains who
 * can.
 */
export function ReplyDocument({
  question: { id, content: text },
  reply,
  isWriting,
  onClose,
}: {
  readonly question: { readonly id: string; readonly content: string };
  readonly reply: string;
  readonly isWriting: boolean;
  readonly onClose: () => void;
}) {
  const { canWriteKnowledge } = usePermissions();
  const preview = useAnswerPreview(text);
  if (!canWriteKnowledge) {
    return (
      <Text size="sm" role="status">
        Your role may not write documents. Ask an owner or an admin to add this answer.
      </Text>
    );
  }
  return (
    <AnswerDocument
      question={{ id, text }}
      answer={reply}
      preview={preview}
      isWriting={isWriting}
      onClose={onClose}
    />
  );
}
