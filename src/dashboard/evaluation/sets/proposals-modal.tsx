import { Button, Checkbox, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure, notifySuccess } from '../../components/error-messages.tsx';
import { PageNumbers } from '../../components/page-numbers.tsx';
import { RowList } from '../../components/row-list.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { parseExpectedTexts } from './expected-texts.ts';
import {
  type ProposalChoice,
  type QuestionProposal,
  questionProposalsQuery,
} from './proposal-operations.ts';
import { newChoice, ProposalRow } from './proposal-row.tsx';
import { addSetQuestionsMutation } from './set-operations.ts';

interface ModalProps {
  readonly setId: string;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** Proposes questions from conversations. The operator selects those that are added to the set. */
export function ProposalsModal({ opened, ...props }: ModalProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Questions from conversations" size="xl">
      <Proposals {...props} />
    </Modal>
  );
}

function Proposals({ setId, onClose, onChange }: ModalProps) {
  const { id: projectId } = useProject();
  const [page, setPage] = useState(1);
  const [choices, setChoices] = useState<Choices>(new Map());
  const { data, error, reload } = useFreshQuery(questionProposalsQuery, { setId, projectId, page });
  const add = useNotifyingMutation(addSetQuestionsMutation, 'The questions were not added');
  const found = data?.questionProposalPage;
  const submit = async () => {
    const questions = [...choices.values()].map(
      ({ conversationId, question, mustRefuse, expected }) => ({
        conversationId,
        question,
        mustRefuse,
        expected: mustRefuse ? [] : parseExpectedTexts(expected),
      }),
    );
    if ((await add.run({ id: setId, questions })) === null) return;
    notifySuccess(`${formatCountOf(questions.length, 'question')} added`);
    onChange();
    onClose();
  };
  return (
    <Stack>
      <Text size="sm">
        Questions of the last 30 days that were not answered well, or that agents took over. Nothing
        is stored until you add them.
      </Text>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {found === undefined && error === undefined && <Skeleton h={240} aria-label="Loading" />}
      {found?.total === 0 && (
        <EmptyState
          title="No questions to propose"
          text="The set has all questions of the last 30 days that were not answered well or were taken over."
        />
      )}
      {found !== undefined && found.data.length > 0 && (
        <ProposalList proposals={found.data} choices={choices} onChange={setChoices} />
      )}
      <PageNumbers
        label="Pages of proposed questions"
        page={page}
        totalPages={found?.totalPages ?? 1}
        onChange={setPage}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={choices.size === 0} loading={add.isRunning} onClick={() => void submit()}>
          {choices.size === 0 ? 'Add questions' : `Add ${formatCountOf(choices.size, 'question')}`}
        </Button>
      </Group>
    </Stack>
  );
}

/** The selected questions of all pages, by the id of the message. */
type Choices = ReadonlyMap<string, ProposalChoice>;

function ProposalList({
  proposals,
  choices,
  onChange,
}: {
  readonly proposals: readonly QuestionProposal[];
  readonly choices: Choices;
  readonly onChange: (choices: Choices) => void;
}) {
  const selected = proposals.filter(({ messageId }) => choices.has(messageId)).length;
  const choose = (messageId: string, choice: ProposalChoice | null) => {
    const changed = new Map(choices);
    if (choice === null) changed.delete(messageId);
    else changed.set(messageId, choice);
    onChange(changed);
  };
  const chooseAll = (isSelected: boolean) => {
    const changed = new Map(choices);
    for (const proposal of proposals) {
      const { messageId } = proposal;
      if (!isSelected) changed.delete(messageId);
      else if (!changed.has(messageId)) changed.set(messageId, newChoice(proposal));
    }
    onChange(changed);
  };
  return (
    <>
      <Checkbox
        label="Select all on this page"
        checked={selected === proposals.length}
        indeterminate={selected > 0 && selected < proposals.length}
        onChange={(event) => chooseAll(event.currentTarget.checked)}
      />
      <RowList label="Proposed questions">
        {proposals.map((proposal, index) => (
          <ProposalRow
            key={proposal.messageId}
            proposal={proposal}
            number={index + 1}
            choice={choices.get(proposal.messageId) ?? null}
            onChange={(choice) => choose(proposal.messageId, choice)}
          />
        ))}
      </RowList>
    </>
  );
}
