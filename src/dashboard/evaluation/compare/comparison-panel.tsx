import { Anchor, Badge, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { DetailPlaceholder } from '../detail-placeholder.tsx';
import { evaluationPaths } from '../evaluation-paths.ts';
import { describeCandidate, runName } from '../runs/describe-run.ts';
import { comparedFigureText } from '../runs/figure-texts.ts';
import type { Run } from '../runs/run-operations.ts';
import { ChangedQuestions } from './changed-questions.tsx';
import { comparisonQuery, type FigureComparison } from './comparison-query.ts';
import { verdictNote } from './verdict-note.ts';

/** Compares two runs question by question. */
export function ComparisonPanel({
  beforeId,
  afterId,
}: {
  readonly beforeId: string;
  readonly afterId: string;
}) {
  const { id: projectId } = useProject();
  const variables = { id: beforeId, otherId: afterId, projectId };
  const { data, error, reload } = useFreshQuery(comparisonQuery, variables);
  const comparison = data?.compareEvaluations;
  return (
    <Stack maw={860}>
      <BackLink href={evaluationPaths(projectId).run(afterId)}>The run</BackLink>
      {comparison === undefined ? (
        <DetailPlaceholder what="Run" error={error} onRetry={reload} />
      ) : (
        <>
          <div>
            <Title order={2} size="h4">
              Comparison of two runs
            </Title>
            <RunLink label="Before" run={comparison.before} />
            <RunLink label="After" run={comparison.after} />
          </div>
          <ComparedFigures figures={comparison.figures} />
          <ChangedQuestions changed={comparison.changed} count={comparison.changedCount} />
        </>
      )}
    </Stack>
  );
}

function RunLink({ label, run }: { readonly label: string; readonly run: Run }) {
  const { id: projectId } = useProject();
  return (
    <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
      {label}:{' '}
      <Anchor component={Link} href={evaluationPaths(projectId).run(run.id)} size="sm">
        {runName(run)}
      </Anchor>
      , {describeCandidate(run)}
    </Text>
  );
}

const verdicts = {
  BETTER: { text: 'Better', color: 'green' },
  WORSE: { text: 'Worse', color: 'red' },
  NO_DIFFERENCE: { text: 'No clear difference', color: undefined },
  TOO_FEW: { text: 'Too few to tell', color: undefined },
} as const satisfies Readonly<Record<FigureComparison['verdict'], object>>;

function ComparedFigures({ figures }: { readonly figures: readonly FigureComparison[] }) {
  return (
    <Stack component="section" gap="xs" aria-labelledby="figures">
      <Title order={3} size="h5" id="figures">
        Figures
      </Title>
      <Text size="sm" c="dimmed">
        Over the questions that both runs have answered. “Better” and “worse” mean that chance does
        not explain the difference (95 % certainty). Fewer than ten questions are too few to tell.
      </Text>
      {figures.length === 0 ? (
        <Text size="sm">The two runs have no question in common.</Text>
      ) : (
        <Table layout="fixed" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="34%">Figure</Table.Th>
              <Table.Th ta="right">Before</Table.Th>
              <Table.Th ta="right">After</Table.Th>
              <Table.Th w="28%">Verdict</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {figures.map((compared) => {
              const { figure, n, before, after, verdict } = compared;
              const note = verdictNote(compared);
              const { label, format } = comparedFigureText(figure);
              const { text, color } = verdicts[verdict];
              return (
                <Table.Tr key={figure}>
                  <Table.Th scope="row" fw={400}>
                    {label}
                    <Text size="xs" c="dimmed">
                      {formatCountOf(n, 'question')}
                    </Text>
                  </Table.Th>
                  <Table.Td ta="right">{format(before)}</Table.Td>
                  <Table.Td ta="right">{format(after)}</Table.Td>
                  <Table.Td>
                    {color === undefined ? (
                      text
                    ) : (
                      <Badge variant="light" color={color} tt="none">
                        {text}
                      </Badge>
                    )}
                    {note !== null && (
                      <Text size="xs" c="dimmed">
                        {note}
                      </Text>
                    )}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
