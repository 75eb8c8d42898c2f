import { Autocomplete, Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifyProblem, notifySuccess } from '../../components/error-messages.tsx';
import { ModalForm } from '../../components/modal-form.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { tagDocumentsMutation } from '../document-operations.ts';
import type { DocumentSelection } from './document-selection.ts';

interface FormProps {
  readonly documents: DocumentSelection['documents'];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Adds a tag to documents, or removes one from them. `action` is null while the dialog is closed. */
export function TagModal({
  action,
  ...props
}: FormProps & { readonly action: 'add' | 'remove' | null }) {
  const count = formatCountOf(props.documents.length, 'document');
  const title = action === 'remove' ? `Remove a tag from ${count}` : `Add a tag to ${count}`;
  return (
    <Modal opened={action !== null} onClose={props.onClose} title={title}>
      {action !== null && <TagForm action={action} {...props} />}
    </Modal>
  );
}

function TagForm({
  action,
  documents,
  onClose,
  onChanged,
}: FormProps & { readonly action: 'add' | 'remove' }) {
  const { id: projectId } = useProject();
  const change = useNotifyingMutation(tagDocumentsMutation, 'The tags were not changed');
  const form = useForm({
    initialValues: { tag: '' },
    validate: { tag: (value) => (value.trim() === '' ? 'Enter a tag' : null) },
  });
  const submit = form.onSubmit(async ({ tag }) => {
    const tags = [tag.trim()];
    const documentIds = documents.map(({ id }) => id);
    const part = action === 'add' ? { addTags: tags } : { removeTags: tags };
    const data = await change.run({ input: { projectId, documentIds, ...part } });
    if (data === null) return;
    const { count, failures } = data.tagDocuments;
    const changed = `Tags of ${formatCountOf(count, 'document')} changed`;
    const nameOf = (id: string) => documents.find((document) => document.id === id)?.name ?? id;
    if (failures.length === 0) notifySuccess(changed);
    else {
      const problems = failures.map(
        ({ documentId, message }) => `${nameOf(documentId)}: ${message}`,
      );
      notifyProblem(`${changed}, ${failures.length} not`, problems.join('; '));
    }
    onChanged();
    onClose();
  });
  return (
    <ModalForm
      onSubmit={submit}
      submitLabel={action === 'add' ? 'Add tag' : 'Remove tag'}
      saving={change}
      onCancel={onClose}
    >
      <Autocomplete
        label="Tag"
        maxLength={100}
        data-autofocus
        data={[...new Set(documents.flatMap(({ tags }) => tags))].toSorted()}
        {...form.getInputProps('tag')}
      />
    </ModalForm>
  );
}
