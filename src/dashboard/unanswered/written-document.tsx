import { Anchor, Button, Card, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { documentQuery, documentUpdatedSubscription } from '../knowledge/document-operations.ts';
import { DocumentStatus } from '../knowledge/document-status.tsx';
import { useProject } from '../project/project.tsx';
import { useChangeSubscription } from '../subscriptions/use-change-subscription.ts';

/** The document that was written for a question. When the document is READY, the question is asked again. */
export function WrittenDocument({
  document: { id, name },
  onAsk,
}: {
  readonly document: { readonly id: string; readonly name: string };
  /** Null if the operator may not use the chat. */
  readonly onAsk: (() => void) | null;
}) {
  const { id: projectId } = useProject();
  const { data, reload } = useFreshQuery(documentQuery, { projectId, id });
  useChangeSubscription(documentUpdatedSubscription, { projectId }, reload);
  const document = data?.document;
  const isReady = document?.status === 'READY';
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!isReady || hasAsked.current) return;
    hasAsked.current = true;
    onAsk?.();
  }, [isReady, onAsk]);
  return (
    <Card padding="sm" bg="var(--mantine-color-default-hover)" role="status">
      <Group justify="space-between">
        <Group gap="xs" style={{ flex: '1 1 240px', minWidth: 0 }}>
          <Anchor
            component={Link}
            href={`/${projectId}/knowledge/${id}`}
            size="sm"
            style={{ overflowWrap: 'anywhere', minWidth: 0 }}
          >
            {name}
          </Anchor>
          <DocumentStatus status={document?.status ?? 'PROCESSING'} />
          {document?.error && (
            <Text size="sm" c="red">
              {document.error.message}
            </Text>
          )}
        </Group>
        {onAsk !== null && (
          <Button size="xs" variant="light" color="green" disabled={!isReady} onClick={onAsk}>
            Ask again with this
          </Button>
        )}
      </Group>
    </Card>
  );
}
