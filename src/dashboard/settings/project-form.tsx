import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { VariablesOf } from 'gql.tada';
import { type ReactNode, useState } from 'react';
import { FailureText, notifySuccess } from '../components/error-messages.tsx';
import { showFieldErrors } from '../components/field-errors.ts';
import { useUnsavedChanges } from '../components/unsaved-changes.tsx';
import { type Saving, useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { updateProjectMutation } from './project-operations.ts';

type ProjectInput = VariablesOf<typeof updateProjectMutation>['input'];

/**
 * The form of a page with settings of the project. If someone else has changed the project since it was loaded, the
 * operator decides which version stays.
 */
export function ProjectForm<Values extends Record<string, unknown>>({
  project: { id, updatedAt },
  form,
  inputOf,
  errorFields,
  onReload,
  children,
}: {
  readonly project: { readonly id: string; readonly updatedAt: string };
  readonly form: UseFormReturnType<Values>;
  readonly inputOf: (values: Values) => Omit<ProjectInput, 'id' | 'ifUpdatedAt'>;
  /** Fields of the form, by the names that the service uses. */
  readonly errorFields: Readonly<Record<string, string>>;
  /** Discards the changes and loads the saved settings. */
  readonly onReload: () => void;
  readonly children: ReactNode;
}) {
  const { canManage } = usePermissions();
  const update = useNotifyingMutation(updateProjectMutation, 'The settings were not saved');
  const [loadedUpdatedAt, setLoadedUpdatedAt] = useState(updatedAt);
  const [hasConflict, setHasConflict] = useState(false);
  useUnsavedChanges(form.isDirty());

  const save = async (values: Values, ifUpdatedAt: string | null) => {
    const input = { id, ...inputOf(values), ifUpdatedAt };
    const saved = await update.run({ input }, (messages, code) => {
      if (code === 'CONFLICT') setHasConflict(true);
      return showFieldErrors(form, messages, errorFields) || code === 'CONFLICT';
    });
    if (saved === null) return;
    setLoadedUpdatedAt(saved.updateProject.updatedAt);
    setHasConflict(false);
    form.resetDirty(values);
    notifySuccess('Saved');
  };
  return (
    <form onSubmit={form.onSubmit((values) => save(values, loadedUpdatedAt))} noValidate>
      <Stack maw={720} gap="lg">
        {!canManage && (
          <Text size="sm" c="dimmed">
            You can read these settings. Owners and admins change them.
          </Text>
        )}
        {children}
        {hasConflict && (
          <ConflictAlert
            isSaving={update.isRunning}
            onReload={onReload}
            onOverwrite={() => save(form.values, null)}
          />
        )}
        {canManage && (
          <SaveButtons saving={update} isDirty={form.isDirty()} onDiscard={form.reset} />
        )}
      </Stack>
    </form>
  );
}

function ConflictAlert({
  isSaving,
  onReload,
  onOverwrite,
}: {
  readonly isSaving: boolean;
  readonly onReload: () => void;
  readonly onOverwrite: () => void;
}) {
  return (
    <Alert color="yellow" role="alert" title="Someone else changed this project">
      <Text size="sm" mb="xs">
        It changed after you opened this page. Your text is still here but not saved.
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onReload}>
          Load the saved version
        </Button>
        <Button size="xs" color="red" variant="light" loading={isSaving} onClick={onOverwrite}>
          Overwrite with mine
        </Button>
      </Group>
    </Alert>
  );
}

function SaveButtons({
  saving: { isRunning, failure },
  isDirty,
  onDiscard,
}: {
  readonly saving: Saving;
  readonly isDirty: boolean;
  readonly onDiscard: () => void;
}) {
  return (
    <Group>
      <Button type="submit" loading={isRunning} disabled={!isDirty}>
        Save
      </Button>
      {isDirty && (
        <>
          <Button variant="default" onClick={onDiscard}>
            Discard changes
          </Button>
          {failure === null ? (
            <Text size="sm" c="dimmed">
              Not saved yet
            </Text>
          ) : (
            <FailureText failure={failure} />
          )}
        </>
      )}
    </Group>
  );
}
