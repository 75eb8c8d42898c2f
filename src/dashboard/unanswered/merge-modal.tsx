import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { mergeQuestionsMutation } from './unanswered-operations.ts';

interface Question {
  readonly questionId: string;
  readonly question: string;
}

/** Merges a question into another question of the list. */
export function MergeModal({
  question: { questionId, question },
  others,
  onClose,
  onMerged,
}: {
  readonly question: Question;
  readonly others: readonly Question[];
  readonly onClose: () => void;
  readonly onMerged: () => void;
}) {
  const { id: projectId } = useProject();
  const [intoId, setIntoId] = useState(others[0]?.questionId ?? '');
  const merge = useNotifyingMutation(mergeQuestionsMutation, 'The questions were not merged');
  const submit = async () => {
    const merged = await merge.run({ input: { projectId, questionId, intoId } });
    if (merged === null) return;
    onClose();
    onMerged();
  };
  return (
    <Modal opened onClose={onClose} title="Merge questions">
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} lineClamp={4}>
          {question}
        </Text>
        <NativeSelect
          label="Same as"
          description="Both are counted together, also later ones."
          data-autofocus
          value={intoId}
          onChange={(event) => setIntoId(event.currentTarget.value)}
          data={others.map(({ questionId, question }) => ({
            value: questionId,
            label: question.slice(0, 200),
          }))}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={merge.isRunning} onClick={() => void submit()}>
            Merge
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
