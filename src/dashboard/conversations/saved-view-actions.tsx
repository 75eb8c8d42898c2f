import { Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { ModalForm } from '../components/modal-form.tsx';
import { maxViewNameLength, maxViews } from './saved-views.ts';
import type { SavedViews } from './use-saved-views.ts';

/** Saves, renames and deletes the view that is shown. Renders nothing without a filter. */
export function SavedViewActions({ savedViews }: { readonly savedViews: SavedViews }) {
  const { query, current, remove } = savedViews;
  const [isOpen, dialog] = useDisclosure(false);
  const saveButton = useRef<HTMLButtonElement>(null);
  if (query === '') return null;
  const title = current === null ? 'Save view' : 'Rename view';
  return (
    <>
      <Button ref={saveButton} variant="subtle" px="xs" onClick={dialog.open}>
        {title}
      </Button>
      {current !== null && (
        <Button
          variant="subtle"
          px="xs"
          onClick={() => {
            remove();
            // This button is removed.
            saveButton.current?.focus();
          }}
        >
          Delete view
        </Button>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title={title}>
        <NameForm savedViews={savedViews} onClose={dialog.close} />
      </Modal>
    </>
  );
}

const saving = { isRunning: false, failure: null };

function NameForm({
  savedViews: { current, save },
  onClose,
}: {
  readonly savedViews: SavedViews;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(current?.name ?? '');
  const [error, setError] = useState<string | null>(null);
  const submit = () => {
    if (save(name.trim())) onClose();
    else setError(`There are ${maxViews} views already. Delete one first.`);
  };
  return (
    <ModalForm
      submitLabel="Save"
      saving={saving}
      isDisabled={name.trim() === ''}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        description="The view is stored in this browser. A view with the same name is replaced."
        data-autofocus
        maxLength={maxViewNameLength}
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(null);
        }}
      />
    </ModalForm>
  );
}
