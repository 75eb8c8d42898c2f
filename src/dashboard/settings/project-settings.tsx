import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { notifySuccess } from '../shell/failure.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { createProjectMutation, updateProjectMutation } from './project-operations.ts';

const named = (name: string) => (name.trim() === '' ? 'Give the project a name' : null);

/** The name of this project, and a new project beside it. */
export function ProjectSettings() {
  const { id, name, organizationId } = useProject();
  const { canManage } = usePermissions();
  const [, navigate] = useLocation();
  const update = useAction(updateProjectMutation, 'The name was not changed');
  const create = useAction(createProjectMutation, 'The project was not made');
  const renaming = useForm({ initialValues: { name }, validate: { name: named } });
  const making = useForm({ initialValues: { name: '' }, validate: { name: named } });
  return (
    <Stack maw={480} gap="xl">
      <form
        onSubmit={renaming.onSubmit(async (values) => {
          if ((await update.run({ input: { id, name: values.name } })) === null) return;
          renaming.resetDirty();
          notifySuccess('Saved');
        })}
      >
        <Stack>
          <TextInput
            label="Name of this project"
            readOnly={!canManage}
            maxLength={200}
            {...renaming.getInputProps('name')}
          />
          {canManage && (
            <Group>
              <Button type="submit" loading={update.isRunning} disabled={!renaming.isDirty()}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {canManage && (
        <form
          onSubmit={making.onSubmit(async (values) => {
            const made = await create.run({ organizationId, name: values.name });
            if (made === null) return;
            notifySuccess(`${made.createProject.name} was made`);
            navigate(`/${made.createProject.id}/knowledge`);
          })}
        >
          <Stack>
            <Title order={2} size="h5">
              Another project
            </Title>
            <TextInput
              label="Name"
              description="It has documents, conversations and keys of its own."
              maxLength={200}
              {...making.getInputProps('name')}
            />
            <Group>
              <Button type="submit" variant="default" loading={create.isRunning}>
                Make the project
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Stack>
  );
}
