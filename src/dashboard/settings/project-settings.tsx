import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { notifySuccess } from '../components/error-messages.tsx';
import { showFieldErrors } from '../components/field-errors.ts';
import { Row, RowList } from '../components/row-list.tsx';
import { useUnsavedChanges } from '../components/unsaved-changes.tsx';
import { useProject, useProjects } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { BudgetSettings } from './budget-settings.tsx';
import { createProjectMutation, updateProjectMutation } from './project-operations.ts';

const validateName = (name: string) => (name.trim() === '' ? 'Enter a name' : null);

/** Renames this project, sets its budget, lists the projects of the organization and creates new ones. */
export function ProjectSettings() {
  const { canManage } = usePermissions();
  return (
    <Stack maw={560} gap="xl">
      <ProjectNameForm />
      <BudgetSettings />
      <ProjectList />
      {canManage && <CreateProjectForm />}
    </Stack>
  );
}

function ProjectNameForm() {
  const { id, name } = useProject();
  const { canManage } = usePermissions();
  const update = useNotifyingMutation(updateProjectMutation, 'The name was not changed');
  const form = useForm({ initialValues: { name }, validate: { name: validateName } });
  useUnsavedChanges(form.isDirty());
  const submit = form.onSubmit(async (values) => {
    const saved = await update.run({ input: { id, name: values.name } }, (messages) =>
      showFieldErrors(form, messages, { name: 'name' }),
    );
    if (saved === null) return;
    form.resetDirty(values);
    notifySuccess('Saved');
  });
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start">
        <TextInput
          label="Name of this project"
          readOnly={!canManage}
          flex="1 1 14rem"
          {...form.getInputProps('name')}
        />
        {canManage && (
          <Button type="submit" mt={25} loading={update.isRunning} disabled={!form.isDirty()}>
            Save
          </Button>
        )}
      </Group>
    </form>
  );
}

function ProjectList() {
  const { id, organizationId } = useProject();
  const projects = useProjects().filter((project) => project.organizationId === organizationId);
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        Projects of the organization
      </Title>
      <RowList label="Projects">
        {projects.map((project) => (
          <Row key={project.id}>
            {project.id === id ? (
              <>
                {project.name}{' '}
                <Text span c="dimmed">
                  (this one)
                </Text>
              </>
            ) : (
              <Anchor component={Link} href={`/${project.id}/settings/projects`}>
                {project.name}
              </Anchor>
            )}
          </Row>
        ))}
      </RowList>
    </section>
  );
}

function CreateProjectForm() {
  const { organizationId } = useProject();
  const projects = useProjects();
  const [, navigate] = useLocation();
  const [createdId, setCreatedId] = useState<string | null>(null);
  const create = useNotifyingMutation(createProjectMutation, 'The project was not created');
  const form = useForm({ initialValues: { name: '' }, validate: { name: validateName } });
  // Open the page of the new project only after the operator was reloaded, because the operator contains the list of
  // projects.
  const isListed = projects.some(({ id }) => id === createdId);
  useEffect(() => {
    if (isListed) navigate(`/${createdId}/knowledge`);
  }, [isListed, createdId, navigate]);
  const submit = form.onSubmit(async ({ name }) => {
    const created = await create.run({ organizationId, name }, (messages) =>
      showFieldErrors(form, messages, { name: 'name' }),
    );
    if (created === null) return;
    notifySuccess(`${created.createProject.name} was created`);
    setCreatedId(created.createProject.id);
  });
  return (
    <form onSubmit={submit} noValidate>
      <Title order={2} size="h5" mb="xs">
        New project
      </Title>
      <Group align="flex-start">
        <TextInput
          label="Name"
          description="Each project has its own documents, conversations and keys."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          flex="1 1 14rem"
          {...form.getInputProps('name')}
        />
        <Button
          type="submit"
          variant="default"
          mt={25}
          loading={create.isRunning || createdId !== null}
        >
          Create the project
        </Button>
      </Group>
    </form>
  );
}
