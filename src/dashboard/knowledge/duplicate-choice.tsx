import { Anchor, Button, Group, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { notifySuccess } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { usePermissions } from '../project/use-permissions.ts';
import {
  deleteDocumentMutation,
  type documentFields,
  keepDuplicateMutation,
  replaceDuplicateMutation,
} from './document-operations.ts';

interface DuplicateChoiceProps {
  readonly document: ResultOf<typeof documentFields>;
  readonly onKept: () => void;
  /** Called when the document is deleted. */
  readonly onDeleted: () => void;
}

/**
 * Says that an earlier document has the same content, and lets the operator choose. Both documents are stored until
 * then. If a source keeps the earlier document up to date, it would overwrite a replacement, so only the newer document
 * can be deleted. Renders nothing if there is no earlier document.
 */
export function DuplicateChoice({ document, ...callbacks }: DuplicateChoiceProps) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const { earlierDuplicate: earlier } = document;
  if (earlier === null) return null;
  return (
    <div>
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        Same content as{' '}
        <Anchor
          component={Link}
          href={`/${projectId}/knowledge/${earlier.id}`}
          underline="always"
          inherit
        >
          {earlier.name}
        </Anchor>{' '}
        (added <RelativeTime at={earlier.createdAt} size="xs" span />
        {earlier.sourceId !== null && ', kept up to date by a source'}).
      </Text>
      {canWriteKnowledge && <Actions document={document} earlier={earlier} {...callbacks} />}
    </div>
  );
}

function Actions({
  document: { id, name },
  earlier,
  onKept,
  onDeleted,
}: DuplicateChoiceProps & {
  readonly earlier: { readonly name: string; readonly sourceId: string | null };
}) {
  const { id: projectId } = useProject();
  const keep = useNotifyingMutation(keepDuplicateMutation, 'The choice was not stored');
  const replace = useNotifyingMutation(
    replaceDuplicateMutation,
    `${earlier.name} was not replaced`,
  );
  const remove = useNotifyingMutation(deleteDocumentMutation, `${name} was not deleted`);
  const isRunning = keep.isRunning || replace.isRunning || remove.isRunning;
  const isOfSource = earlier.sourceId !== null;
  const removeOne = async () => {
    const { run } = isOfSource ? remove : replace;
    if ((await run({ projectId, id })) === null) return;
    notifySuccess(isOfSource ? `${name} was deleted` : `${earlier.name} was replaced`);
    onDeleted();
  };
  const keepBoth = async () => {
    if ((await keep.run({ projectId, id })) !== null) onKept();
  };
  return (
    <Group gap="xs" my={4}>
      <Button
        size="compact-xs"
        variant="default"
        loading={replace.isRunning || remove.isRunning}
        disabled={isRunning}
        onClick={() => void removeOne()}
        aria-label={
          isOfSource ? `Delete the new copy ${name}` : `Replace ${earlier.name} with ${name}`
        }
      >
        {isOfSource ? 'Delete the new copy' : 'Replace'}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        loading={keep.isRunning}
        disabled={isRunning}
        onClick={() => void keepBoth()}
        aria-label={`Keep both, ${earlier.name} and ${name}`}
      >
        Keep both
      </Button>
    </Group>
  );
}
