import {
  Alert,
  Button,
  FileButton,
  Group,
  List,
  Modal,
  Radio,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useState } from 'react';
import { notifySuccess } from '../../components/error-messages.tsx';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatCount, formatCountOf } from '../../format/format-numbers.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { checkQuestionLines, type LineProblem } from './check-question-lines.ts';
import { addSetQuestionsMutation, replaceSetQuestionsMutation } from './set-operations.ts';

interface ModalProps {
  readonly setId: string;
  readonly questionCount: number;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** Imports questions from a file or text in the format JSON Lines. */
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

/** A set has at most this many questions. */
const maxQuestions = 10_000;
/** The service accepts requests of 6.5 MB. */
const maxBytes = 6_000_000;
const example = '{"question": "What does a kayak cost?", "expected": [["12 euros", "€12"]]}';

function ImportForm({ setId, questionCount, onClose, onChange }: ModalProps) {
  const failure = 'The questions were not imported';
  const add = useNotifyingMutation(addSetQuestionsMutation, failure);
  const replace = useNotifyingMutation(replaceSetQuestionsMutation, failure);
  const [text, setText] = useState('');
  const [mode, setMode] = useState<'add' | 'replace'>('add');
  const [problems, setProblems] = useState<readonly LineProblem[]>([]);
  const [error, setError] = useState<string | null>(null);
  const change = (text: string) => {
    setText(text);
    setProblems([]);
    setError(null);
  };
  const readFile = async (file: File | null) => {
    if (file === null) return;
    if (file.size > maxBytes) setError(tooLarge);
    else change(await file.text());
  };
  const submit = async () => {
    const checked = checkQuestionLines(text);
    setProblems(checked.problems);
    if (checked.problems.length > 0) return setError(null);
    const { questions } = checked;
    const problem = findProblem(questions, mode === 'add' ? questionCount : 0);
    setError(problem);
    if (problem !== null) return;
    const stored = await (mode === 'add' ? add : replace).run(
      { id: setId, questions },
      (messages) => {
        const found = messages.map((message) => toLineProblem(message, checked.lines));
        const isShown = found.every((one) => one !== null);
        if (isShown) setProblems(found);
        return isShown;
      },
    );
    if (stored === null) return;
    notifySuccess(`${formatCountOf(questions.length, 'question')} imported`);
    onChange();
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      noValidate
    >
      <Stack>
        <Text size="sm">
          One JSON object per line, with the field <code>question</code> and, if you like,{' '}
          <code>expected</code>, <code>documentId</code>, <code>documentName</code>,{' '}
          <code>mustRefuse</code>, <code>tags</code> and <code>language</code>.
        </Text>
        <FileButton accept=".jsonl,.ndjson,.json,.txt" onChange={(file) => void readFile(file)}>
          {(props) => (
            <Button variant="default" w="fit-content" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Textarea
          label="Questions as JSON Lines"
          placeholder={example}
          rows={8}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          error={error}
          onChange={(event) => change(event.currentTarget.value)}
        />
        {problems.length > 0 && <LineProblems problems={problems} />}
        {questionCount > 0 && (
          <Radio.Group
            label="Questions of the set"
            value={mode}
            onChange={(chosen) => setMode(chosen === 'replace' ? 'replace' : 'add')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="add" label="Keep them, and add these" />
              <Radio
                value="replace"
                label={`Replace ${formatCountOf(questionCount, 'question')} by these`}
              />
            </Stack>
          </Radio.Group>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isRunning || replace.isRunning}>
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const tooLarge = `Import at most ${formatBytes(maxBytes)} at once`;

/** Returns a problem of all questions together, or null. */
function findProblem(questions: readonly object[], existing: number): string | null {
  if (questions.length === 0) return 'Enter at least one question';
  if (existing + questions.length > maxQuestions) {
    return `A set has at most ${formatCount(maxQuestions)} questions`;
  }
  const { size } = new Blob([JSON.stringify(questions)]);
  return size > maxBytes ? tooLarge : null;
}

/** Converts a message of the service, such as "questions.2.question must …". Returns null for other messages. */
function toLineProblem(message: string, lines: readonly number[]): LineProblem | null {
  const [, index, rest] = /^questions\.(\d+)[. ](.*)$/.exec(message) ?? [];
  const line = lines[Number(index)];
  return line === undefined || rest === undefined ? null : { line, message: rest };
}

const maxShown = 50;

function LineProblems({ problems }: { readonly problems: readonly LineProblem[] }) {
  return (
    <Alert
      color="red"
      role="alert"
      title={`${formatCountOf(problems.length, 'line')} ${problems.length === 1 ? 'is' : 'are'} wrong. Nothing was imported.`}
    >
      <List size="sm" aria-label="Wrong lines">
        {problems.slice(0, maxShown).map(({ line, message }) => (
          <List.Item key={`${line} ${message}`} style={{ overflowWrap: 'anywhere' }}>
            Line {line}: {message}
          </List.Item>
        ))}
      </List>
      {problems.length > maxShown && (
        <Text size="sm" mt="xs">
          and {formatCount(problems.length - maxShown)} more
        </Text>
      )}
    </Alert>
  );
}
