import { Modal } from '@mantine/core';
import { notifySuccess } from '../../components/error-messages.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { emptyQuestion, QuestionForm } from './question-form.tsx';
import { addSetQuestionsMutation } from './set-operations.ts';

/** The form that adds one question to a set. */
export function AddQuestionModal({
  setId,
  opened,
  onClose,
  onChange,
}: {
  readonly setId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onChange: () => void;
}) {
  const add = useNotifyingMutation(addSetQuestionsMutation, 'The question was not added');
  return (
    <Modal opened={opened} onClose={onClose} title="Add a question">
      <QuestionForm
        initial={emptyQuestion}
        saveLabel="Add"
        fieldPrefix="questions.0."
        saving={add}
        onCancel={onClose}
        onSave={async ({ question = '', ...expectations }, handleError) => {
          const questions = [{ question, ...expectations }];
          if ((await add.run({ id: setId, questions }, handleError)) === null) return;
          notifySuccess('The question was added');
          onChange();
          onClose();
        }}
      />
    </Modal>
  );
}
