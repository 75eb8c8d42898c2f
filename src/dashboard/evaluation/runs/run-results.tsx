import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { LoadFailure } from '../../components/error-messages.tsx';
import { PageNumbers } from '../../components/page-numbers.tsx';
import { Row, RowList } from '../../components/row-list.tsx';
import { formatCount, formatCountOf } from '../../format/format-numbers.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { ExpectationText } from '../expectation-text.tsx';
import { ResultAnswer } from './result-answer.tsx';
import { ResultMark } from './result-mark.tsx';
import { resultsPerPage, resultsQuery } from './result-operations.ts';
import { problemsOf } from './result-problems.ts';
import { ResultTrace } from './result-trace.tsx';

const filters = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
];

/** The results of a run by page. They are read again when `done`, the number of asked questions, changes. */
export function RunResults({
  runId,
  done,
  onMark,
}: {
  readonly runId: string;
  readonly done: number;
  /** Called after an answer was marked. */
  readonly onMark: () => void;
}) {
  const { id: projectId } = useProject();
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState('all');
  const { data, error, reload } = useFreshQuery(resultsQuery, {
    ...{ id: runId, projectId, page, limit: resultsPerPage },
  });
  const shownDone = useRef(done);
  useEffect(() => {
    if (shownDone.current === done) return;
    shownDone.current = done;
    reload();
  }, [done, reload]);
  const results = data?.evaluationResultPage;
  const failed = results?.data.filter((result) => problemsOf(result).length > 0) ?? [];
  const shown = filter === 'failed' ? failed : (results?.data ?? []);
  return (
    <Stack component="section" gap="xs" aria-labelledby="results">
      <Title order={3} size="h5" id="results">
        Results
      </Title>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {results === undefined && error === undefined && <Skeleton h={240} aria-label="Loading" />}
      {results?.total === 0 && (
        <Text size="sm" c="dimmed">
          No question was asked yet.
        </Text>
      )}
      {results !== undefined && results.total > 0 && (
        <>
          <Group>
            <SegmentedControl
              aria-label="Results to show"
              data={filters}
              value={filter}
              onChange={setFilter}
            />
            <Text size="sm" c="dimmed" role="status">
              {formatCount(failed.length)} of {formatCountOf(results.data.length, 'answer')}
              {results.totalPages > 1 && ' on this page'} failed
            </Text>
          </Group>
          {shown.length > 0 && (
            <RowList label="Results">
              {shown.map((result, index) => (
                <Row key={result.questionId}>
                  <Stack gap="xs">
                    <Text size="sm" fw={600} dir="auto" lineClamp={6}>
                      {result.question}
                    </Text>
                    <ExpectationText expectation={result} />
                    <ResultAnswer result={result} label={`Answer ${index + 1}`} />
                    {result.answer !== null && (
                      <ResultTrace
                        runId={runId}
                        questionId={result.questionId}
                        position={(page - 1) * resultsPerPage + results.data.indexOf(result) + 1}
                        label={`Answer ${index + 1}`}
                      />
                    )}
                    <ResultMark
                      runId={runId}
                      result={result}
                      label={`Answer ${index + 1}`}
                      onChange={() => {
                        reload();
                        onMark();
                      }}
                    />
                  </Stack>
                </Row>
              ))}
            </RowList>
          )}
        </>
      )}
      <PageNumbers
        label="Pages of results"
        page={page}
        totalPages={results?.totalPages ?? 1}
        onChange={setPage}
      />
    </Stack>
  );
}
