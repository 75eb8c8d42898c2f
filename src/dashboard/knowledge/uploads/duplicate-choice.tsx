import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { Link } from 'wouter';
import { notifyProblem, notifySuccess } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { deleteDocumentMutation, documentQuery } from '../document-operations.ts';
import type { UploadDuplicate, UploadQueue } from './upload-queue.ts';

/**
 * Says that the project has the uploaded file already. Both documents are stored, so nothing is lost if the operator
 * does not choose. *Replace* updates the earlier document first, and only then deletes the new one.
 */
export function DuplicateChoice({
  id,
  duplicate: { documentId, original },
  queue,
}: {
  readonly id: number;
  readonly duplicate: UploadDuplicate;
  readonly queue: UploadQueue;
}) {
  const { id: projectId } = useProject();
  const client = useClient();
  const [isReplacing, setReplacing] = useState(false);
  const remove = useNotifyingMutation(deleteDocumentMutation, 'The new copy was not deleted');
  const isOfSource = original.sourceId !== null;
  /** Returns an error message if a run of the source has deleted the document, so that the copy is the only one. */
  const missingProblem = async () => {
    const variables = { projectId, id: original.id };
    const { error } = await client.query(documentQuery, variables, {
      requestPolicy: 'network-only',
    });
    return error === undefined ? null : 'The earlier document is no longer available.';
  };
  const replace = async () => {
    setReplacing(true);
    const problem = isOfSource ? await missingProblem() : await queue.replaceOriginal(id);
    if (problem !== null) notifyProblem('Both documents are kept', problem);
    else if ((await remove.run({ projectId, id: documentId })) !== null) {
      notifySuccess(isOfSource ? 'The new copy was deleted' : `${original.name} was replaced`);
      queue.remove(id);
      return;
    }
    setReplacing(false);
  };
  return (
    <>
      <Text size="xs" role="alert" style={{ overflowWrap: 'anywhere' }}>
        You have this file already:{' '}
        <Anchor component={Link} href={`/${projectId}/knowledge/${original.id}`} size="xs">
          {original.name}
        </Anchor>{' '}
        (added <RelativeTime at={original.createdAt} size="xs" span />
        {isOfSource && ', kept up to date by a source'}).
      </Text>
      <Group gap="xs" my={4}>
        <Button
          size="compact-xs"
          variant="default"
          loading={isReplacing}
          onClick={() => void replace()}
        >
          {isOfSource ? 'Delete the new copy' : 'Replace'}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          disabled={isReplacing}
          onClick={() => queue.keepBoth(id)}
        >
          Keep both
        </Button>
      </Group>
    </>
  );
}
