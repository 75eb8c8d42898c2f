import { Button, Group, Text } from '@mantine/core';

/** The buttons at the end of a settings form. */
export function SaveButtons({
  isSaving,
  isDirty,
  onDiscard,
}: {
  readonly isSaving: boolean;
  readonly isDirty: boolean;
  readonly onDiscard: () => void;
}) {
  return (
    <Group>
      <Button type="submit" loading={isSaving} disabled={!isDirty}>
        Save
      </Button>
      {isDirty && (
        <>
          <Button variant="default" onClick={onDiscard}>
            Discard changes
          </Button>
          <Text size="sm" c="dimmed">
            Not saved yet
          </Text>
        </>
      )}
    </Group>
  );
}
