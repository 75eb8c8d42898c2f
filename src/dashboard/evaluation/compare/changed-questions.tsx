import { Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatCountOf } from '../../format/format-numbers.ts';
import { ExpectationText } from '../expectation-text.tsx';
import { ResultAnswer } from '../runs/result-answer.tsx';
import type { ChangedQuestion } from './comparison-query.ts';

const pageSize = 20;

/** The questions that two runs answered differently well, with both answers side by side. */
export function ChangedQuestions({
  changed,
  count,
}: {
  readonly changed: readonly ChangedQuestion[];
  /** Number of changed questions. The service returns only the first of them. */
  readonly count: number;
}) {
  const [shown, setShown] = useState(pageSize);
  return (
    <Stack component="section" gap="xs" aria-labelledby="changed">
      <Title order={3} size="h5" id="changed">
        Changed questions
      </Title>
      <Text size="sm" c="dimmed" role="status">
        {count === 0
          ? 'Both runs answered all questions equally well.'
          : `${formatCountOf(count, 'question')} with a different judgement${
              count > changed.length ? `. The first ${formatCount(changed.length)} are here` : ''
            }`}
      </Text>
      <Stack gap="sm" component="ul" m={0} p={0} aria-label="Changed questions">
        {changed.slice(0, shown).map((question, index) => (
          <ChangedQuestionItem key={question.questionId} number={index + 1} changed={question} />
        ))}
      </Stack>
      {shown < changed.length && (
        <Button
          variant="default"
          w="fit-content"
          onClick={() => setShown((shown) => shown + pageSize)}
        >
          Show more
        </Button>
      )}
    </Stack>
  );
}

function ChangedQuestionItem({
  number,
  changed: { question, isBetter, before, after },
}: {
  /** Number of the question on the page, from 1. */
  readonly number: number;
  readonly changed: ChangedQuestion;
}) {
  return (
    <Card withBorder component="li" padding="md">
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Text
            size="sm"
            fw={600}
            dir="auto"
            lineClamp={6}
            miw={0}
            style={{ overflowWrap: 'anywhere' }}
          >
            {question}
          </Text>
          <Direction isBetter={isBetter} />
        </Group>
        <ExpectationText expectation={after} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Side title="Before" number={number} result={before} />
          <Side title="After" number={number} result={after} />
        </SimpleGrid>
      </Stack>
    </Card>
  );
}

function Side({
  title,
  number,
  result,
}: {
  readonly title: string;
  readonly number: number;
  readonly result: ChangedQuestion['before'];
}) {
  return (
    <Stack gap={4} miw={0}>
      <Text size="xs" fw={600}>
        {title}
      </Text>
      <ResultAnswer result={result} label={`${title}, answer ${number}`} />
    </Stack>
  );
}

function Direction({ isBetter }: { readonly isBetter: boolean | null }) {
  const [color, text] =
    isBetter === null
      ? ['gray', 'better and worse']
      : isBetter
        ? ['green', 'better']
        : ['red', 'worse'];
  return (
    <Badge variant="light" color={color} tt="none" style={{ flexShrink: 0 }}>
      {text}
    </Badge>
  );
}
