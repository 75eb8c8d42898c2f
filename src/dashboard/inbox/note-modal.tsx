import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';

const maxNoteLength = 5_000;

/** A dialog with an optional internal note. `onSubmit` receives null if the note is blank. */
export function NoteModal({
  title,
  text,
  verb,
  isRunning,
  onClose,
  onSubmit,
}: {
  readonly title: string;
  readonly text?: string;
  /** Label of the submit button. */
  readonly verb: string;
  readonly isRunning: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (note: string | null) => unknown;
}) {
  const [note, setNote] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(note.trim() === '' ? null : note);
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {text !== undefined && <Text size="sm">{text}</Text>}
          <Textarea
            data-autofocus
            label="Note (optional)"
            description="Becomes an internal note. Only your team sees it."
            dir="auto"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={maxNoteLength}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isRunning}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
