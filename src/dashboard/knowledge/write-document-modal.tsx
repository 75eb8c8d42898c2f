import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../graphql/graphql.ts';
import { notifySuccess } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';

const createDocumentMutation = graphql(`
  mutation CreateDocument($projectId: ID!, $name: String!, $content: String!) {
    createDocument(input: { projectId: $projectId, name: $name, content: $content }) {
      id
      name
      status
    }
  }
`);

/** A document written by hand, Markdown or plain. */
export function WriteDocumentModal({
  opened,
  onClose,
  name = '',
  content = '',
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly name?: string;
  readonly content?: string;
}) {
  const { id: projectId } = useProject();
  const create = useAction(createDocumentMutation, 'The document was not created');
  const form = useForm({
    initialValues: { name, content },
    validate: {
      name: (value) => (value.trim() === '' ? 'Give the document a name' : null),
      content: (value) => (value.trim() === '' ? 'Write something' : null),
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Write a document" size="lg">
      <form
        onSubmit={form.onSubmit(async (values) => {
          const created = await create.run({ projectId, ...values });
          if (created === null) return;
          notifySuccess(`${created.createDocument.name} is being indexed`);
          form.reset();
          onClose();
        })}
      >
        <Stack>
          <TextInput label="Name" required maxLength={255} {...form.getInputProps('name')} />
          <Textarea
            label="Text"
            description="Plain or Markdown. Headings help to find it."
            required
            autosize
            minRows={8}
            maxRows={24}
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
