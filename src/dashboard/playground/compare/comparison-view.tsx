import { Alert, Card, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { RefObject } from 'react';
import { useClient } from 'urql';
import { LoadFailure } from '../../components/error-messages.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { useProjectStore } from '../../project/project-store.ts';
import { PlaygroundStart } from '../playground-start.tsx';
import { QuestionForm } from '../question-form.tsx';
import { compareSettingsQuery } from './compare-settings-query.ts';
import { sideNames, sides, useProjectComparison } from './comparison.ts';
import { describeDifference } from './describe-difference.ts';
import { SideAnswerCard } from './side-answer-card.tsx';
import { SideSettingsFields } from './side-settings-fields.tsx';

/** Asks a question with two settings and shows both answers, side by side. On a phone, one is below the other. */
export function ComparisonView({
  inputRef,
  message,
  onChange,
}: {
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly message: string;
  readonly onChange: (message: string) => void;
}) {
  const client = useClient();
  const { id: projectId } = useProject();
  const comparison = useProjectComparison();
  const { settings, question, answers } = useProjectStore(comparison);
  const { data, error, reload } = useFreshQuery(compareSettingsQuery, { projectId });
  const project = data?.project;
  const isAnswering =
    question !== null && answers.some(({ answer, error }) => answer === null && error === null);
  const [a, b] = [answers[0].answer, answers[1].answer];
  const ask = (asked: string) => void comparison.ask(client, asked);
  const askSample = (asked: string) => {
    ask(asked);
    inputRef.current?.focus();
  };
  if (project == null) {
    return error === undefined ? (
      <Skeleton h={480} maw={1100} aria-label="Loading" />
    ) : (
      <LoadFailure error={error} onRetry={reload} />
    );
  }
  return (
    <Stack maw={1100}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {sides.map((side) => (
          <SideSettingsFields
            key={side}
            name={sideNames[side]}
            settings={settings[side]}
            project={project}
            onChange={(change) => comparison.changeSettings(side, change)}
          />
        ))}
      </SimpleGrid>
      {question === null ? (
        <PlaygroundStart
          text="Both settings answer it, without earlier questions. No conversation is stored."
          onAsk={askSample}
        />
      ) : (
        <Stack aria-live="polite">
          <Card padding="sm" bg="var(--mantine-primary-color-light)" aria-label="Question">
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{question}</Text>
          </Card>
          {a !== null && b !== null && (
            <Alert p="sm" variant="default" role="status">
              {describeDifference(a, b)}
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {sides.map((side) => (
              <SideAnswerCard
                key={side}
                name={sideNames[side]}
                answer={answers[side]}
                onRetry={() => ask(question)}
              />
            ))}
          </SimpleGrid>
        </Stack>
      )}
      <QuestionForm
        {...{ inputRef, message, onChange, isAnswering }}
        onSend={ask}
        onStop={() => comparison.stop()}
      />
    </Stack>
  );
}
