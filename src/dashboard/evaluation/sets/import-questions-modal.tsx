import { Button, FileButton, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { notifySuccess } from '../../components/error-messages.tsx';
import { ImportProblems } from '../../components/import-problems.tsx';
import { ModalForm } from '../../components/modal-form.tsx';
import { notUtf8 } from '../../components/read-text-file.ts';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatCount, formatCountOf } from '../../format/format-numbers.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { acceptedFiles, formatOf, type QuestionFile, readQuestionFile } from './question-file.ts';
import { importSetQuestionsMutation } from './set-operations.ts';

interface ModalProps {
  readonly setId: string;
  readonly questionCount: number;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** Imports questions from a file or text, as CSV or JSON Lines. */
export function ImportQuestionsModal({
  opened,
  ...props
}: ModalProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Import questions" size="lg">
      <ImportForm {...props} />
    </Modal>
  );
}

/** The service accepts texts of 6 MB, in requests of 6.5 MB. */
const maxBytes = 6_000_000;
const tooLarge = `Import at most ${formatBytes(maxBytes)} at once. Line breaks, quotation marks and backslashes count twice`;
const example = 'question,expected\nWhat does a kayak cost?,12 euros || €12';

function ImportForm({ setId, questionCount, onClose, onChange }: ModalProps) {
  const imports = useNotifyingMutation(
    importSetQuestionsMutation,
    'The questions were not imported',
  );
  const resetInput = useRef<() => void>(null);
  const [file, setFile] = useState<QuestionFile | null>(null);
  const [text, setText] = useState('');
  const [mode, setMode] = useState<ImportMode>('add');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [error, setError] = useState<string | null>(null);
  const change = (text: string) => {
    setText(text);
    setProblems([]);
    setError(null);
  };
  const readFile = async (chosen: File | null) => {
    if (chosen === null) return;
    // A browser does not report a file that is chosen again, which may have been corrected in the meantime.
    resetInput.current?.();
    if (chosen.size > maxBytes) return setError(tooLarge);
    const read = await readQuestionFile(chosen);
    if (read === null) return setError(notUtf8);
    setFile(read);
    change(read.text);
  };
  const submit = async () => {
    if (new Blob([JSON.stringify(text)]).size > maxBytes) return setError(tooLarge);
    const input = { id: setId, format: formatOf(text, file), text, replaces: mode === 'replace' };
    const stored = await imports.run({ input }, (messages, code) => {
      if (code !== 'VALIDATION_FAILED') return false;
      setProblems(messages);
      return true;
    });
    if (stored === null) return;
    notifySuccess(describeImport(stored.importSetQuestions));
    onChange();
    onClose();
  };
  return (
    <ModalForm
      onSubmit={submit}
      submitLabel="Import"
      saving={imports}
      isDisabled={text.trim() === ''}
      onCancel={onClose}
    >
      <FormatText />
      <FileButton
        accept={acceptedFiles}
        resetRef={resetInput}
        onChange={(chosen) => void readFile(chosen)}
      >
        {(props) => (
          <Button variant="default" w="fit-content" {...props}>
            Choose a file
          </Button>
        )}
      </FileButton>
      <Textarea
        label="Questions as CSV or JSON Lines"
        placeholder={example}
        rows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {problems.length > 0 && <ImportProblems problems={problems} />}
      {questionCount > 0 && <ModeRadios {...{ mode, questionCount }} onChange={setMode} />}
    </ModalForm>
  );
}

function FormatText() {
  return (
    <Text size="sm">
      A CSV table whose first row names the columns, or one JSON object per line. Only the column{' '}
      <code>question</code> is required. The others are <code>expected</code>,{' '}
      <code>documentId</code>, <code>documentName</code>, <code>mustRefuse</code>, <code>tags</code>
      , <code>language</code> and <code>conversationId</code>. In CSV, <code>|</code> separates
      expected texts and tags, and <code>||</code> the alternatives of a text. Questions that the
      set has are skipped.
    </Text>
  );
}

type ImportMode = 'add' | 'replace';

function ModeRadios({
  mode,
  questionCount,
  onChange,
}: {
  readonly mode: ImportMode;
  readonly questionCount: number;
  readonly onChange: (mode: ImportMode) => void;
}) {
  return (
    <Radio.Group
      label="Questions of the set"
      value={mode}
      onChange={(chosen) => onChange(chosen === 'replace' ? 'replace' : 'add')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="add" label="Keep them, and add these" />
        <Radio
          value="replace"
          label={`Replace ${formatCountOf(questionCount, 'question')} by these`}
        />
      </Stack>
    </Radio.Group>
  );
}

/** Returns, for example, `12 questions imported, 3 already there`. */
function describeImport({
  imported,
  alreadyThere,
}: {
  readonly imported: number;
  readonly alreadyThere: number;
}): string {
  const there = alreadyThere === 0 ? '' : `, ${formatCount(alreadyThere)} already there`;
  return `${formatCountOf(imported, 'question')} imported${there}`;
}
