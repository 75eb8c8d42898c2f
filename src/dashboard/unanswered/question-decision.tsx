import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { useProject } from '../project/project.tsx';
import type { UnansweredQuestion } from './unanswered-operations.ts';

/** Shows the decision about a question: who decided, when, and the document. Renders nothing without a decision. */
export function QuestionDecision({
  question: { status, documentId, decidedBy, decidedAt },
}: {
  readonly question: UnansweredQuestion;
}) {
  const { id: projectId } = useProject();
  if (status === 'OPEN' && documentId === null) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {status === 'OPEN' ? (
        'Asked again after a document was written. '
      ) : decidedAt === null ? (
        'Answered well when it was asked later. '
      ) : (
        <>
          {status === 'DONE' ? 'Marked as done' : 'Dismissed'}
          {decidedBy !== null && ` by ${decidedBy}`} <RelativeTime at={decidedAt} size="sm" span />.{' '}
        </>
      )}
      {documentId !== null && (
        <Anchor component={Link} href={`/${projectId}/knowledge/${documentId}`} size="sm">
          Open the document
        </Anchor>
      )}
    </Text>
  );
}
