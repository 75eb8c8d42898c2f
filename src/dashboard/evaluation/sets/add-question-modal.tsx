import { Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifySuccess } from '../../components/error-messages.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { parseExpectedTexts, parseTags } from './expected-texts.ts';
import { addSetQuestionsMutation } from './set-operations.ts';

interface ModalProps {
  readonly setId: string;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** The form that adds one question to a set. */
export function AddQuestionModal({ opened, ...props }: ModalProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Add a question">
      <QuestionForm {...props} />
    </Modal>
  );
}

/** Fields of the service, with those of the form. */
const formFields = {
  'questions.0.question': 'question',
  'questions.0.expected': 'expected',
  'questions.0.documentName': 'documentName',
  'questions.0.tags': 'tags',
};

function QuestionForm({ setId, onClose, onChange }: ModalProps) {
  const add = useNotifyingMutation(addSetQuestionsMutation, 'The question was not added');
  const form = useForm({
    initialValues: { question: '', expected: '', documentName: '', mustRefuse: false, tags: '' },
    validate: {
      question: (question) => (question.trim() === '' ? 'Enter a question' : null),
    },
  });
  const { mustRefuse } = form.values;
  const submit = form.onSubmit(async (values) => {
    const question = {
      question: values.question.trim(),
      expected: mustRefuse ? [] : parseExpectedTexts(values.expected),
      documentName: mustRefuse ? null : values.documentName.trim() || null,
      mustRefuse,
      tags: parseTags(values.tags),
    };
    const added = await add.run({ id: setId, questions: [question] }, (messages) => {
      const errors = fieldErrors(messages, formFields);
      if (errors !== null) form.setErrors(errors);
      return errors !== null;
    });
    if (added === null) return;
    notifySuccess('The question was added');
    onChange();
    onClose();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Textarea
          label="Question"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={4_000}
          dir="auto"
          withAsterisk
          data-autofocus
          {...form.getInputProps('question')}
        />
        <Checkbox
          label="Must refuse"
          description="The documents do not answer this question, so the assistant must say that it does not know."
          {...form.getInputProps('mustRefuse', { type: 'checkbox' })}
        />
        {!mustRefuse && (
          <>
            <Textarea
              label="Expected texts"
              description="One per line. The answer must contain all of them. Separate alternatives by |, of which one is enough."
              placeholder="12 euros | €12"
              autosize
              minRows={2}
              maxRows={8}
              dir="auto"
              {...form.getInputProps('expected')}
            />
            <TextInput
              label="Expected document"
              description="Name of the document that answers the question. Empty: any document."
              maxLength={255}
              dir="auto"
              {...form.getInputProps('documentName')}
            />
          </>
        )}
        <TextInput
          label="Tags"
          description="Separated by commas."
          dir="auto"
          {...form.getInputProps('tags')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isRunning}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
