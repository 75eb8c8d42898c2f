import { Alert, Button, Group, Modal, Skeleton, Stack, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { notifySuccess } from '../components/error-messages.tsx';
import { fieldErrors } from '../components/field-errors.ts';
import { useUnsavedChanges } from '../components/unsaved-changes.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { useSession } from '../session/session-gate.tsx';
import type { DetailedDocument } from './document-details.tsx';
import { replaceDocumentMutation } from './document-operations.ts';
import { readOriginal } from './read-original.ts';

interface FormProps {
  readonly document: DetailedDocument;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The form for the text of a document that an operator wrote in the dashboard. */
export function EditTextModal({ opened, ...props }: FormProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title={`Edit ${props.document.name}`} size="lg">
      <TextForm {...props} />
    </Modal>
  );
}

function TextForm({ document: { id, name }, onClose, onSaved }: FormProps) {
  const { id: projectId } = useProject();
  const session = useSession();
  const replace = useNotifyingMutation(replaceDocumentMutation, 'The text was not changed');
  const [original, setOriginal] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isOpen = true;
    readOriginal(session, { projectId, documentId: id })
      .then((content) => content.text())
      .then(
        (content) => {
          if (!isOpen) return;
          setOriginal(content);
          setText(content);
        },
        (error: unknown) => {
          if (isOpen) setFailure(error instanceof Error ? error.message : String(error));
        },
      );
    return () => {
      isOpen = false;
    };
  }, [session, projectId, id]);
  const isDirty = original !== null && text !== original;
  useUnsavedChanges(isDirty);
  const save = async () => {
    const saved = await replace.run({ projectId, id, name, content: text }, (messages) => {
      const problem = fieldErrors(messages, { content: 'content' })?.content;
      setProblem(problem ?? null);
      return problem !== undefined;
    });
    if (saved === null) return;
    notifySuccess(`${name} is being indexed`);
    onSaved();
    onClose();
  };
  return (
    <Stack>
      {failure !== null && (
        <Alert color="red" title="The text was not read">
          {failure}
        </Alert>
      )}
      {original === null && failure === null && <Skeleton h={240} aria-label="Loading" />}
      {original !== null && (
        <Textarea
          label="Text"
          description="Until the new text is indexed, the assistant answers from the old one."
          autosize
          minRows={8}
          maxRows={18}
          data-autofocus
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(null);
          }}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          onClick={() => void save()}
          disabled={!isDirty || text.trim() === ''}
          loading={replace.isRunning}
        >
          Save
        </Button>
      </Group>
    </Stack>
  );
}
