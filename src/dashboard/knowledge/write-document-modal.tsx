import {
  Button,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { notifySuccess } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { useUnsavedChanges } from '../shell/unsaved-changes.tsx';
import { useAction } from '../shell/use-action.ts';
import { createMutation } from './document-operations.ts';

const sameNameQuery = graphql(`
  query SameName($projectId: ID!, $name: String!) {
    documentPage(projectId: $projectId, search: $name, limit: 100) {
      data {
        name
      }
    }
  }
`);

/** In characters, as the service limits them. */
const longestName = 255;
const longestText = 1_000_000;
const counted = new Intl.NumberFormat('en');

/** A document written by hand, Markdown or plain. What was typed stays when the dialog is closed without creating. */
export function WriteDocumentModal({
  opened,
  onClose,
  onCreated,
  name = '',
  content = '',
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated?: (document: { readonly id: string; readonly name: string }) => void;
  readonly name?: string;
  readonly content?: string;
}) {
  const { id: projectId } = useProject();
  const create = useAction(createMutation, 'The document was not created');
  const form = useForm({
    initialValues: { name, content, format: 'markdown' },
    validate: {
      name: (value) => (value.trim() === '' ? 'Give the document a name' : null),
      content: (value) =>
        value.trim() === ''
          ? 'Write something'
          : [...value].length > longestText
            ? `At most ${counted.format(longestText)} characters`
            : null,
    },
  });
  useUnsavedChanges(form.isDirty());
  const { values } = form;
  const fileName = fileNameOf(values.name, values.format);
  const hasTwin = useTwin(fileName, opened);
  return (
    <Modal opened={opened} onClose={onClose} title="Write a document" size="lg">
      <form
        noValidate
        onSubmit={form.onSubmit(async ({ content }) => {
          const created = await create.run({ projectId, name: fileName, content });
          if (created === null) return;
          notifySuccess(`${created.createDocument.name} is being indexed`);
          form.reset();
          onClose();
          onCreated?.(created.createDocument);
        })}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={longestName - 3}
            description={hasTwin ? 'There is a document of this name already.' : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('name')}
          />
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed">
              Headings help to find it.
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
            description={`${counted.format(values.content.length)} of ${counted.format(longestText)} characters`}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            {...form.getInputProps('content')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isRunning}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The service tells the format by the name. */
function fileNameOf(name: string, format: string): string {
  const trimmed = name.trim();
  const isNamed = trimmed === '' || /\.(?:md|markdown|mdx)$/i.test(trimmed);
  return format === 'markdown' && !isNamed ? `${trimmed}.md` : trimmed;
}

/** Whether another document has this name; looked at anew each time it `isAsked`. */
function useTwin(name: string, isAsked: boolean): boolean {
  const { id: projectId } = useProject();
  const [settled] = useDebouncedValue(name, 300);
  const [{ data }] = useQuery({
    query: sameNameQuery,
    variables: { projectId, name: settled },
    pause: !isAsked || settled === '',
    requestPolicy: 'network-only',
  });
  return (
    name !== '' && (data?.documentPage.data.some((document) => document.name === name) ?? false)
  );
}
