import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { FormEvent, KeyboardEvent, Ref } from 'react';
import { defaultSendKey, hintBelow, isSendKey, sendHints } from '../components/send-key.ts';

/** The field for a question. `onSend` receives the text without white space around it, and only if it is not blank. */
export function QuestionForm({
  inputRef,
  message,
  onChange,
  isAnswering,
  onSend,
  onStop,
}: {
  readonly inputRef: Ref<HTMLTextAreaElement>;
  readonly message: string;
  readonly onChange: (message: string) => void;
  readonly isAnswering: boolean;
  readonly onSend: (question: string) => void;
  readonly onStop: () => void;
}) {
  const question = message.trim();
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (question === '' || isAnswering) return;
    onSend(question);
    onChange('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        <Textarea
          ref={inputRef}
          label="Message"
          description={sendHints[defaultSendKey]}
          inputWrapperOrder={hintBelow}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={4_000}
          value={message}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Group justify="flex-end">
          {isAnswering ? (
            <Button variant="default" onClick={onStop}>
              Stop
            </Button>
          ) : (
            <Button type="submit" disabled={question === ''}>
              Send
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
