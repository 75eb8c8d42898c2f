import { Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { EditDeleteActions } from '../../components/edit-delete-actions.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { Row } from '../../components/row-list.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { ExpectationText } from '../expectation-text.tsx';
import { QuestionForm } from './question-form.tsx';
import {
  deleteSetQuestionMutation,
  type SetQuestion,
  updateSetQuestionMutation,
} from './set-operations.ts';

/** A question of a set with its expectations. */
export function QuestionRow({
  question,
  onChange,
}: {
  readonly question: SetQuestion;
  readonly onChange: () => void;
}) {
  const { canManage } = usePermissions();
  const [isEditing, editing] = useDisclosure(false);
  const update = useNotifyingMutation(updateSetQuestionMutation, 'The question was not changed');
  const { id } = question;
  const actions = canManage && (
    <EditDeleteActions
      noun="question"
      name={question.question}
      text={`“${question.question}” is removed from the set. Earlier runs keep it.`}
      mutation={deleteSetQuestionMutation}
      variables={{ id }}
      onDeleted={onChange}
      onEdit={editing.open}
    />
  );
  return (
    <Row actions={actions}>
      <Text size="sm" fw={600} dir="auto" lineClamp={6}>
        {question.question}
      </Text>
      <ExpectationText expectation={question} />
      <Modal opened={isEditing} onClose={editing.close} title="Edit the question">
        <QuestionForm
          initial={question}
          saveLabel="Save"
          saving={update}
          onCancel={editing.close}
          onSave={async (changes, handleError) => {
            const input = { id, ...changes };
            if ((await update.run({ input }, handleError)) === null) return;
            notifySuccess('The question was changed');
            onChange();
            editing.close();
          }}
        />
      </Modal>
    </Row>
  );
}
