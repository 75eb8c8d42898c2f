import { Alert, Button, Group, Text } from '@mantine/core';

/** Shown in a form if someone else has changed the project since the form was loaded. */
export function ConflictAlert({
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
