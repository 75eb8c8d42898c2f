import { Modal, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ModalForm } from '../components/modal-form.tsx';
import type { Saving } from '../project/use-notifying-mutation.ts';

const maxNoteLength = 5_000;

/** A dialog with an optional internal note. `onSubmit` receives null if the note is blank. */
export function NoteModal({
  title,
  text,
  verb,
  saving,
  onClose,
  onSubmit,
}: {
  readonly title: string;
  readonly text?: string;
  /** Label of the submit button. */
  readonly verb: string;
  readonly saving: Saving;
  readonly onClose: () => void;
  readonly onSubmit: (note: string | null) => unknown;
}) {
  const [note, setNote] = useState('');
  return (
    <Modal opened onClose={onClose} title={title}>
      <ModalForm
        onSubmit={() => onSubmit(note.trim() === '' ? null : note)}
        submitLabel={verb}
        saving={saving}
        onCancel={onClose}
      >
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
      </ModalForm>
    </Modal>
  );
}
