import { Button, Skeleton, Stack } from '@mantine/core';
import { EmptyState } from '../components/empty-state.tsx';
import { graphql } from '../graphql/graphql.ts';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';

const sampleQuestionsQuery = graphql(`
  query SampleQuestions($projectId: ID!) {
    projectSetup(projectId: $projectId) {
      exampleQuestions
    }
  }
`);

const buttonHeight = 36;

/** Shown before the first question. */
export function PlaygroundStart({
  text,
  onAsk,
}: {
  readonly text: string;
  readonly onAsk: (question: string) => void;
}) {
  const { canManage } = usePermissions();
  return (
    <EmptyState title="Ask a question" text={text}>
      {canManage && <SampleQuestions onAsk={onAsk} />}
    </EmptyState>
  );
}

/** Questions from the headings of the project's documents. Only owners and admins may read them. */
function SampleQuestions({ onAsk }: { readonly onAsk: (question: string) => void }) {
  const { id: projectId } = useProject();
  const { data, isLoading } = useFreshQuery(sampleQuestionsQuery, { projectId });
  return (
    <Stack gap="xs" w="100%" role="group" aria-label="Sample questions">
      {isLoading &&
        [1, 2, 3].map((row) => <Skeleton key={row} h={buttonHeight} aria-label="Loading" />)}
      {data?.projectSetup.exampleQuestions.map((question) => (
        <Button
          key={question}
          variant="default"
          fullWidth
          h="auto"
          mih={buttonHeight}
          py={6}
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.4 } }}
          onClick={() => onAsk(question)}
        >
          {question}
        </Button>
      ))}
    </Stack>
  );
}
