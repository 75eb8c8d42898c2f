import { Stack } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { useProjectChat } from '../chat/chat.ts';
import { TurnItem } from '../chat/turn-item.tsx';
import { useProjectStore } from '../project/project-store.ts';
import { CurlExample } from './curl-example.tsx';
import { PlaygroundStart } from './playground-start.tsx';
import { QuestionForm } from './question-form.tsx';

/** A conversation with the assistant, as an end user has it. */
export function PlaygroundChat({
  inputRef,
  message,
  onChange,
}: {
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly message: string;
  readonly onChange: (message: string) => void;
}) {
  const chat = useProjectChat();
  const { turns, conversationId } = useProjectStore(chat);
  const latest = turns.at(-1);
  const ask = (question: string) => void chat.ask(question);
  const askSample = (question: string) => {
    ask(question);
    inputRef.current?.focus();
  };
  const endRef = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: not at each token, so that a reader who scrolled up stays there
  useEffect(() => {
    if (latest !== undefined) endRef.current?.scrollIntoView({ block: 'nearest' });
  }, [latest?.id, latest?.state]);

  const trimmedMessage = message.trim();
  const exampleRequest =
    trimmedMessage === '' && latest !== undefined
      ? { message: latest.question, conversationId: latest.conversationId }
      : { message: trimmedMessage || 'Your question', conversationId };
  return (
    <Stack maw={860}>
      {turns.length === 0 ? (
        <PlaygroundStart
          text="The assistant answers from the project's documents and cites its sources."
          onAsk={askSample}
        />
      ) : (
        <Stack gap="md" component="ol" m={0} p={0} aria-live="polite" aria-label="Conversation">
          {turns.map((turn) => (
            <TurnItem
              key={turn.id}
              turn={turn}
              onRetry={() => chat.retry(turn)}
              onRated={(rating) => chat.setRating(turn.id, rating)}
            />
          ))}
        </Stack>
      )}
      <QuestionForm
        {...{ inputRef, message, onChange }}
        isAnswering={latest?.state === 'answering'}
        onSend={ask}
        onStop={() => chat.stop()}
      />
      <div ref={endRef} />
      <CurlExample {...exampleRequest} />
    </Stack>
  );
}
