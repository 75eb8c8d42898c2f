import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { LongText } from '../../components/long-text.tsx';
import { Citations, CitedText } from '../../transcript/citations.tsx';
import { ConfidenceBadge } from '../../transcript/confidence-badge.tsx';
import type { Result } from './result-operations.ts';
import { problemsOf } from './result-problems.ts';

/** The answer to a question of a run, with its judgement and its citations. */
export function ResultAnswer({
  result,
  label,
}: {
  readonly result: Result;
  /** Name of the answer for screen readers, unique on the page. */
  readonly label: string;
}) {
  const { answer, citations, confidence, error, isDocumentMissing, modelReason } = result;
  return (
    <Paper bg="var(--mantine-color-default-hover)" p="sm">
      <Stack gap="xs">
        <Group gap={4}>
          <Judgement result={result} />
          {confidence !== null && <ConfidenceBadge value={confidence} />}
        </Group>
        {isDocumentMissing && (
          <Text size="xs">
            The expected document did not exist, or was left out. The search and the citation were
            not judged.
          </Text>
        )}
        {error !== null && <Text size="sm">{error}</Text>}
        {answer !== null && (
          <LongText label={label} maxHeight={240}>
            <CitedText content={answer} citations={citations} />
          </LongText>
        )}
        <Citations citations={citations} />
        {modelReason !== null && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {describeVerdict(result)}: {modelReason}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function describeVerdict({ modelVerdict }: Result): string {
  if (modelVerdict === null) return 'No verdict of the language model';
  return `${modelVerdict === 'RIGHT' ? 'Right' : 'Wrong'} for the language model`;
}

function Judgement({ result }: { readonly result: Result }) {
  const problems = problemsOf(result);
  if (problems.length === 0) {
    return (
      <Badge size="sm" variant="light" color="green" tt="none">
        As expected
      </Badge>
    );
  }
  return problems.map((problem) => (
    <Badge key={problem} size="sm" variant="light" color="red" tt="none">
      {problem}
    </Badge>
  ));
}
