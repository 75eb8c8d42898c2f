import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import type { Saving } from '../../project/use-notifying-mutation.ts';
import { expectedTextsField, parseExpectedTexts, parseTags } from './expected-texts.ts';
import type { SetQuestion } from './set-operations.ts';

type Question = Pick<
  SetQuestion,
  'question' | 'expected' | 'documentId' | 'documentName' | 'mustRefuse' | 'tags'
>;

/** Fields of a question that differ from those before. */
type QuestionChanges = { -readonly [Field in keyof Question]?: Question[Field] };

export const emptyQuestion: Question = {
  ...{ question: '', expected: [], documentId: null, documentName: null },
  ...{ mustRefuse: false, tags: [] },
};

const fields = ['question', 'expected', 'documentName', 'tags'] as const;

interface QuestionFormProps {
  readonly initial: Question;
  readonly saveLabel: string;
  /** Prefix of the field names in the error messages of the service. */
  readonly fieldPrefix?: string;
  readonly saving: Saving;
  /** Receives only the changed fields, because the form cannot show a text with a line break or `|` as it is. */
  readonly onSave: (
    changes: QuestionChanges,
    handleError: (messages: readonly string[]) => boolean,
  ) => void;
  readonly onCancel: () => void;
}

/** Edits one question of a set. */
export function QuestionForm({
  initial,
  saveLabel,
  fieldPrefix = '',
  saving,
  onSave,
  onCancel,
}: QuestionFormProps) {
  const form = useForm({
    initialValues: {
      question: initial.question,
      expected: expectedTextsField(initial.expected),
      documentName: initial.documentName ?? '',
      mustRefuse: initial.mustRefuse,
      tags: initial.tags.join(', '),
    },
    validate: {
      question: (question) => (question.trim() === '' ? 'Enter a question' : null),
    },
  });
  const { mustRefuse } = form.values;
  const submit = form.onSubmit((values) => {
    const changes: QuestionChanges = {};
    if (form.isDirty('question')) changes.question = values.question.trim();
    if (form.isDirty('tags')) changes.tags = parseTags(values.tags);
    if (form.isDirty('mustRefuse')) changes.mustRefuse = mustRefuse;
    if (form.isDirty('expected')) changes.expected = parseExpectedTexts(values.expected);
    if (form.isDirty('documentName')) {
      changes.documentId = null;
      changes.documentName = values.documentName.trim() || null;
    }
    onSave(changes, (messages) => {
      const names = Object.fromEntries(fields.map((name) => [`${fieldPrefix}${name}`, name]));
      return showFieldErrors(form, messages, names);
    });
  });
  return (
    <ModalForm onSubmit={submit} submitLabel={saveLabel} saving={saving} onCancel={onCancel}>
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
            description={
              initial.documentId === null
                ? 'Name of the document that answers the question. Empty: any document.'
                : 'The question expects one document by its id. Enter a name to expect documents with that name instead.'
            }
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
    </ModalForm>
  );
}
