import { JsonInput, Modal, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFieldErrors } from '../components/field-errors.ts';
import { ModalForm } from '../components/modal-form.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import type { DetailedDocument } from './document-details.tsx';
import { updateDocumentMutation } from './document-operations.ts';

interface FormProps {
  readonly document: DetailedDocument;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The form for name, source URL, tags and metadata of a document. */
export function EditDetailsModal({ opened, ...props }: FormProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Edit the details">
      <DetailsForm {...props} />
    </Modal>
  );
}

function DetailsForm({ document, onClose, onSaved }: FormProps) {
  const { id: projectId } = useProject();
  const update = useNotifyingMutation(updateDocumentMutation, 'The document was not changed');
  const { id, name, sourceUrl, tags, metadata } = document;
  const form = useForm({
    initialValues: {
      name,
      sourceUrl: sourceUrl ?? '',
      tags: [...tags],
      metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2),
    },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name' : null),
      metadata: (text) => (parseObject(text) === null ? 'Enter a JSON object' : null),
    },
  });
  const submit = form.onSubmit(async (values) => {
    const input = {
      ...{ id, projectId, name: values.name.trim(), tags: values.tags },
      sourceUrl: values.sourceUrl.trim() || null,
      metadata: parseObject(values.metadata) ?? {},
    };
    const saved = await update.run({ input }, (messages) =>
      showFieldErrors(form, messages, formFields),
    );
    if (saved === null) return;
    onSaved();
    onClose();
  });
  return (
    <ModalForm onSubmit={submit} submitLabel="Save" saving={update} onCancel={onClose}>
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Source URL"
        type="url"
        description="The address that citations of this document lead to."
        placeholder="https://example.com/help/parking"
        {...form.getInputProps('sourceUrl')}
      />
      <TagsInput
        label="Tags"
        description="Searches and API keys can be restricted to tags. Enter adds a tag."
        {...form.getInputProps('tags')}
      />
      <JsonInput
        label="Metadata"
        description="A JSON object of names and values."
        placeholder={'{ "audience": "staff" }'}
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps('metadata')}
      />
    </ModalForm>
  );
}

/** Fields of the form, by the names that the service's error messages use. */
const formFields = { name: 'name', sourceUrl: 'sourceUrl', tags: 'tags', metadata: 'metadata' };

/**
 * Returns the object in the text, or null if the text is not a JSON object. An empty text counts as an empty object.
 */
function parseObject(text: string): DetailedDocument['metadata'] | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as DetailedDocument['metadata']) : null;
  } catch {
    return null;
  }
}
