import { Skeleton, Stack, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { PageNumbers } from '../../components/page-numbers.tsx';
import { RowList } from '../../components/row-list.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { QuestionRow } from './question-row.tsx';
import { setQuestionsQuery } from './set-operations.ts';

/** The questions of a set with their expectations, by page. Reads them again when the version of the set changes. */
export function SetQuestions({
  setId,
  version,
  onChange,
}: {
  readonly setId: string;
  readonly version: number;
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const [page, setPage] = useState(1);
  const variables = { id: setId, projectId, page };
  const { data, error, reload } = useFreshQuery(setQuestionsQuery, variables);
  const shownVersion = useRef(version);
  useEffect(() => {
    if (shownVersion.current === version) return;
    shownVersion.current = version;
    reload();
  }, [version, reload]);
  const questions = data?.setQuestionPage;
  const totalPages = Math.max(1, questions?.totalPages ?? page);
  // The questions may have been replaced by fewer.
  if (page > totalPages) setPage(totalPages);
  return (
    <Stack component="section" gap="xs" aria-labelledby="questions">
      <Title order={3} size="h5" id="questions">
        Questions
      </Title>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {questions === undefined && error === undefined && <Skeleton h={160} aria-label="Loading" />}
      {questions?.data.length === 0 && (
        <EmptyState
          title="No questions yet"
          text="Add questions that people really ask, and some that the documents do not answer."
        />
      )}
      {questions !== undefined && questions.data.length > 0 && (
        <RowList label="Questions">
          {questions.data.map((question) => (
            <QuestionRow key={question.id} question={question} onChange={onChange} />
          ))}
        </RowList>
      )}
      <PageNumbers
        label="Pages of questions"
        page={page}
        totalPages={totalPages}
        onChange={setPage}
      />
    </Stack>
  );
}
