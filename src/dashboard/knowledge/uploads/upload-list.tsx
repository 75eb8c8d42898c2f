import {
  ActionIcon,
  Button,
  Card,
  Group,
  Loader,
  Progress,
  ScrollArea,
  Stack,
  Text,
} from '@mantine/core';
import { IconAlertCircle, IconCheck, IconClock, IconRefresh, IconX } from '@tabler/icons-react';
import type { Upload, UploadQueue } from './upload-queue.ts';

/** The progress of all uploads. When all uploads are finished, only the failed ones stay in the list. */
export function UploadList({
  queue,
  uploads,
}: {
  readonly queue: UploadQueue;
  readonly uploads: readonly Upload[];
}) {
  const countInState = (wanted: Upload['state']) =>
    uploads.filter(({ state }) => state === wanted).length;
  const isRunning = countInState('waiting') + countInState('sending') > 0;
  const sent = uploads.reduce((sum, { state, sent }) => sum + (state === 'failed' ? 1 : sent), 0);
  const shown = isRunning ? uploads : uploads.filter(({ state }) => state === 'failed');
  return (
    <Card withBorder padding="sm" component="section" aria-label="Uploads">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600} role="status">
            {countInState('stored')} of {uploads.length} uploaded
            {countInState('failed') > 0 && `, ${countInState('failed')} failed`}
          </Text>
          <Button size="compact-sm" variant="subtle" onClick={() => queue.clear()}>
            {isRunning ? 'Cancel all' : 'Close'}
          </Button>
        </Group>
        {isRunning && (
          <Progress size="sm" value={(sent / uploads.length) * 100} aria-label="All uploads" />
        )}
        {shown.length > 0 && (
          <ScrollArea.Autosize mah={260} type="auto" viewportProps={{ tabIndex: 0 }}>
            <Stack gap={4} component="ul" m={0} p={0} aria-label="Files">
              {shown.map((upload) => (
                <UploadRow key={upload.id} upload={upload} queue={queue} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        )}
      </Stack>
    </Card>
  );
}

function UploadRow({ upload, queue }: { readonly upload: Upload; readonly queue: UploadQueue }) {
  const { id, name, state, sent, failure, canRetry } = upload;
  return (
    <Group component="li" wrap="nowrap" gap="sm" mih={32} style={{ listStyle: 'none' }}>
      <StateIcon state={state} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        {failure !== null && (
          <Text size="xs" c="red" role="alert">
            {failure}
          </Text>
        )}
      </div>
      {state === 'sending' && (
        <Progress value={sent * 100} w={96} aria-label={`Upload of ${name}`} />
      )}
      {state === 'failed' && canRetry && (
        <ActionIcon
          variant="subtle"
          aria-label={`Upload ${name} again`}
          onClick={() => queue.retry(id)}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      )}
      {state !== 'stored' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={state === 'failed' ? `Dismiss ${name}` : `Cancel the upload of ${name}`}
          onClick={() => queue.remove(id)}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}

function StateIcon({ state }: { readonly state: Upload['state'] }) {
  const size = 16;
  if (state === 'sending') return <Loader size={size} aria-hidden />;
  if (state === 'waiting') return <IconClock size={size} aria-label="Waiting" opacity={0.6} />;
  if (state === 'stored') {
    return <IconCheck size={size} aria-label="Uploaded" color="var(--mantine-color-green-text)" />;
  }
  return <IconAlertCircle size={size} aria-label="Failed" color="var(--mantine-color-red-text)" />;
}
