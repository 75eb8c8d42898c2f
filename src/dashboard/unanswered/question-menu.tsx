import { Button, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { MergeModal } from './merge-modal.tsx';
import { decideQuestionMutation, type UnansweredQuestion } from './unanswered-operations.ts';

/** A menu to decide about a question. */
export function QuestionMenu({
  question: { questionId, question, status, documentId },
  others,
  onChange,
}: {
  readonly question: UnansweredQuestion;
  readonly others: readonly UnansweredQuestion[];
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const [isMerging, setMerging] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  const decide = useNotifyingMutation(decideQuestionMutation, 'The question was not changed');
  const set = async (newStatus: UnansweredQuestion['status']) => {
    const keptDocumentId = newStatus === 'OPEN' ? null : documentId;
    const input = { projectId, questionId, status: newStatus, documentId: keptDocumentId };
    if ((await decide.run({ input })) !== null) onChange();
  };
  if (status !== 'OPEN') {
    return (
      <Button
        variant="default"
        size="xs"
        loading={decide.isRunning}
        onClick={() => void set('OPEN')}
      >
        Open again
      </Button>
    );
  }
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button ref={menuButton} variant="default" size="xs" loading={decide.isRunning}>
            Decide…
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void set('DONE')}>Mark as done</Menu.Item>
          <Menu.Item onClick={() => void set('DISMISSED')}>Dismiss: not for us</Menu.Item>
          <Menu.Item disabled={others.length === 0} onClick={() => setMerging(true)}>
            Merge with another question…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isMerging && (
        <MergeModal
          question={{ questionId, question }}
          others={others}
          onClose={() => {
            setMerging(false);
            // Focus the button, because the menu item that opened the dialog no longer exists.
            menuButton.current?.focus();
          }}
          onMerged={onChange}
        />
      )}
    </>
  );
}
