import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { WriteDocumentModal } from '../knowledge/write-document-modal.tsx';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { LatestAnswer } from './latest-answer.tsx';
import { decideQuestionMutation } from './unanswered-operations.ts';
import type { useAnswerPreview } from './use-answer-preview.ts';
import { WrittenDocument } from './written-document.tsx';

/**
 * Writes a document that answers a question. When the document is indexed, asks the question again and shows the
 * answer. If the documents can now answer the question, marks it as done and links it to the document.
 */
export function AnswerDocument({
  question: { id: questionId, text },
  answer = '',
  preview,
  isWriting,
  onClose,
  onDone = () => {},
}: {
  /** Id and text of the end user's message. */
  readonly question: { readonly id: string; readonly text: string };
  /** Initial text of the document, below the question. */
  readonly answer?: string;
  readonly preview: ReturnType<typeof useAnswerPreview>;
  readonly isWriting: boolean;
  readonly onClose: () => void;
  /** Called when the question is done. */
  readonly onDone?: () => void;
}) {
  const { id: projectId } = useProject();
  const { canChat } = usePermissions();
  const { refreshQuestions } = useLiveInbox();
  const [document, setDocument] = useState<{ id: string; name: string } | null>(null);
  const [isDone, setDone] = useState(false);
  const decide = useNotifyingMutation(
    decideQuestionMutation,
    'The question was not marked as done',
  );
  const askAgain = async () => {
    const latest = await preview.ask();
    if (document === null || latest?.isAnswered !== true) return;
    const input = { projectId, questionId, status: 'DONE', documentId: document.id } as const;
    if ((await decide.run({ input })) === null) return;
    setDone(true);
    refreshQuestions();
    onDone();
  };
  return (
    <Stack gap="sm">
      {document !== null && (
        <WrittenDocument document={document} onAsk={canChat ? askAgain : null} />
      )}
      <LatestAnswer preview={preview} />
      {isDone && (
        <Text size="sm" role="status">
          The question is done and linked to the document.
        </Text>
      )}
      <WriteDocumentModal
        opened={isWriting}
        onClose={onClose}
        onCreated={setDocument}
        name={documentNameFor(text)}
        content={`# ${text.replace(/\s+/g, ' ').trim()}\n\n${answer}`}
      />
    </Stack>
  );
}

/** Returns a document name for a question: no slashes, no final punctuation, at most 120 characters. */
function documentNameFor(question: string): string {
  const line = question.replace(/[\s/\\]+/g, ' ');
  const name = /^.*[^\s.?!。？！]/u.exec(line)?.[0] ?? '';
  return [...name].slice(0, 120).join('').trim();
}
