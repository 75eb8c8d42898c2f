import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { notifySuccess } from '../shell/failure.tsx';
import { fieldErrors } from '../shell/field-errors.ts';
import { usePermissions } from '../shell/permissions.ts';
import { useProject, useProjects } from '../shell/project.tsx';
import { Row, RowList } from '../shell/row-list.tsx';
import { useUnsavedChanges } from '../shell/unsaved-changes.tsx';
import { useAction } from '../shell/use-action.ts';
import { createProjectMutation, updateProjectMutation } from './project-operations.ts';

const named = (name: string) => (name.trim() === '' ? 'Give the project a name' : null);

/** The name of this project, and the others of the organization beside it. */
export function ProjectSettings() {
  const { canManage } = usePermissions();
  return (
    <Stack maw={560} gap="xl">
      <ProjectName />
      <Projects />
      {canManage && <NewProject />}
    </Stack>
  );
}

function ProjectName() {
  const { id, name } = useProject();
  const { canManage } = usePermissions();
  const update = useAction(updateProjectMutation, 'The name was not changed');
  const form = useForm({ initialValues: { name }, validate: { name: named } });
  useUnsavedChanges(form.isDirty());
  const submit = form.onSubmit(async (values) => {
    const saved = await update.run({ input: { id, name: values.name } }, (messages) => {
      const errors = fieldErrors(messages, { name: 'name' });
      if (errors !== null) form.setErrors(errors);
      return errors !== null;
    });
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

function Projects() {
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

function NewProject() {
  const { organizationId } = useProject();
  const projects = useProjects();
  const [, navigate] = useLocation();
  const [madeId, setMadeId] = useState<string | null>(null);
  const create = useAction(createProjectMutation, 'The project was not made');
  const form = useForm({ initialValues: { name: '' }, validate: { name: named } });
  // It can be opened as soon as the operator's list has it.
  const isThere = projects.some(({ id }) => id === madeId);
  useEffect(() => {
    if (isThere) navigate(`/${madeId}/knowledge`);
  }, [isThere, madeId, navigate]);
  const submit = form.onSubmit(async ({ name }) => {
    const made = await create.run({ organizationId, name }, (messages) => {
      const errors = fieldErrors(messages, { name: 'name' });
      if (errors !== null) form.setErrors(errors);
      return errors !== null;
    });
    if (made === null) return;
    notifySuccess(`${made.createProject.name} was made`);
    setMadeId(made.createProject.id);
  });
  return (
    <form onSubmit={submit} noValidate>
      <Title order={2} size="h5" mb="xs">
        A new project
      </Title>
      <Group align="flex-start">
        <TextInput
          label="Name"
          description="It has documents, conversations and keys of its own."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          flex="1 1 14rem"
          {...form.getInputProps('name')}
        />
        <Button
          type="submit"
          variant="default"
          mt={25}
          loading={create.isRunning || madeId !== null}
        >
          Make the project
        </Button>
      </Group>
    </form>
  );
}
