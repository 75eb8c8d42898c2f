import { Button, FileButton, Modal, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { notifySuccess } from '../../components/error-messages.tsx';
import { ImportProblems } from '../../components/import-problems.tsx';
import { ModalForm } from '../../components/modal-form.tsx';
import { notUtf8, readTextFile } from '../../components/read-text-file.ts';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatCountOf } from '../../format/format-numbers.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { priceColumns, readPriceFile, withLine } from './price-file.ts';
import { importPricesMutation } from './price-operations.ts';

interface ModalProps {
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** Imports prices from a CSV file or text, all or none. */
export function ImportPricesModal({ opened, ...props }: ModalProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Import prices" size="lg">
      <ImportForm {...props} />
    </Modal>
  );
}

/** More than 500 prices need. */
const maxBytes = 500_000;
const example = `${priceColumns.join(',')}\ngpt-5-mini,INPUT,0.25,USD,2026-01-01`;

function ImportForm({ onClose, onChange }: ModalProps) {
  const { organizationId } = useProject();
  const imports = useNotifyingMutation(importPricesMutation, 'The prices were not imported');
  const resetInput = useRef<() => void>(null);
  const [text, setText] = useState('');
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
    if (chosen.size > maxBytes) return setError(`Import at most ${formatBytes(maxBytes)} at once`);
    const read = await readTextFile(chosen);
    if (read === null) setError(notUtf8);
    else change(read);
  };
  const submit = async () => {
    const file = readPriceFile(text);
    setProblems(file.problems);
    if (file.problems.length > 0) return;
    const input = { organizationId, prices: [...file.prices] };
    const stored = await imports.run({ input }, (messages, code) => {
      if (code !== 'VALIDATION_FAILED') return false;
      setProblems(messages.map((message) => withLine(message, file.lines)));
      return true;
    });
    if (stored === null) return;
    notifySuccess(`${formatCountOf(file.prices.length, 'price')} imported`);
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
      <Text size="sm">
        A CSV table whose first row names the columns <code>model</code>, <code>kind</code> (INPUT,
        OUTPUT, EMBEDDING or RERANK), <code>perMillion</code>, <code>currency</code> and{' '}
        <code>validFrom</code>. Without <code>validFrom</code>, a price applies from today (UTC). A
        price of the same model, kind and day is replaced.
      </Text>
      <FileButton
        accept=".csv,.tsv,.txt"
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
        label="Prices as CSV"
        placeholder={example}
        rows={8}
        maxLength={maxBytes}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {problems.length > 0 && <ImportProblems problems={problems} />}
    </ModalForm>
  );
}
