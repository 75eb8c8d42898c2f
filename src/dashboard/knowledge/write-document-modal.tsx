import { Group, Modal, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from 'urql';
import { notifySuccess } from '../components/error-messages.tsx';
import { showFieldErrors } from '../components/field-errors.ts';
import { ModalForm } from '../components/modal-form.tsx';
import { useUnsavedChanges } from '../components/unsaved-changes.tsx';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { createDocumentMutation } from './document-operations.ts';

const documentsByNameQuery = graphql(`
  query SameName($projectId: ID!, $name: String!) {
    documentPage(projectId: $projectId, search: $name, limit: 100) {
      data {
        name
      }
    }
  }
`);

/** Limits of the service, in characters. */
const maxNameLength = 255;
const maxContentLength = 1_000_000;
const numberFormat = new Intl.NumberFormat('en');

interface ModalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated?: (document: { readonly id: string; readonly name: string }) => void;
  readonly name?: string;
  readonly content?: string;
}

/**
 * Creates a document from Markdown or plain text. If the operator closes the dialog before the document is created, the
 * draft is kept.
 */
export function WriteDocumentModal({
  opened,
  onClose,
  onCreated,
  name = '',
  content = '',
}: ModalProps) {
  const { id: projectId } = useProject();
  const create = useNotifyingMutation(createDocumentMutation, 'The document was not created');
  const form = useForm({
    initialValues: { name, content, format: 'markdown' },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name' : null),
      content: (value) =>
        value.trim() === ''
          ? 'Enter some text'
          : [...value].length > maxContentLength
            ? `At most ${numberFormat.format(maxContentLength)} characters`
            : null,
    },
  });
  useUnsavedChanges(form.isDirty());
  const { values } = form;
  const fileName = fileNameOf(values.name, values.format);
  const isNameTaken = useIsNameTaken(fileName, opened);
  const submit = form.onSubmit(async ({ content }) => {
    const created = await create.run({ projectId, name: fileName, content }, (messages) =>
      showFieldErrors(form, messages, { name: 'name', content: 'content' }),
    );
    if (created === null) return;
    notifySuccess(`${created.createDocument.name} is being indexed`);
    form.reset();
    onClose();
    onCreated?.(created.createDocument);
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Write a document" size="lg">
      <ModalForm onSubmit={submit} submitLabel="Create" saving={create} onCancel={onClose}>
        <TextInput
          label="Name"
          required
          data-autofocus
          maxLength={maxNameLength - 3}
          description={isNameTaken ? 'A document with this name already exists.' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('name')}
        />
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            Headings make the text easier to find.
          </Text>
          <SegmentedControl
            aria-label="Format"
            size="xs"
            data={[
              { value: 'markdown', label: 'Markdown' },
              { value: 'plain', label: 'Plain text' },
            ]}
            {...form.getInputProps('format')}
          />
        </Group>
        <Textarea
          label="Text"
          required
          autosize
          minRows={8}
          maxRows={18}
          placeholder={
            values.format === 'markdown'
              ? '# Breakfast\n\nOn Sundays breakfast is served until noon.'
              : 'On Sundays breakfast is served until noon.'
          }
          description={`${numberFormat.format(values.content.length)} of ${numberFormat.format(maxContentLength)} characters`}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('content')}
        />
      </ModalForm>
    </Modal>
  );
}

/**
 * Returns the name of the document. Adds `.md` for Markdown, because the service recognizes the format by the
 * extension.
 */
function fileNameOf(name: string, format: string): string {
  const trimmed = name.trim();
  const hasExtension = trimmed === '' || /\.(?:md|markdown|mdx)$/i.test(trimmed);
  return format === 'markdown' && !hasExtension ? `${trimmed}.md` : trimmed;
}

/** Returns whether another document has this name. Queries the service only if `isEnabled`. */
function useIsNameTaken(name: string, isEnabled: boolean): boolean {
  const { id: projectId } = useProject();
  const [debouncedName] = useDebouncedValue(name, 300);
  const [{ data }] = useQuery({
    query: documentsByNameQuery,
    variables: { projectId, name: debouncedName },
    pause: !isEnabled || debouncedName === '',
    requestPolicy: 'network-only',
  });
  return (
    name !== '' && (data?.documentPage.data.some((document) => document.name === name) ?? false)
  );
}
