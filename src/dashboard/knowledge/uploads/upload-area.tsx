import { Alert, Group, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileText, IconUpload } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { supportedFormats } from '../../../extract/file-formats.ts';
import { formatBytes } from '../../format/format-bytes.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useProject } from '../../project/project.tsx';
import { useProjectStore } from '../../project/project-store.ts';
import { UploadList } from './upload-list.tsx';
import { useUploadQueue } from './upload-queue.ts';
import { acceptedExtensions } from './validate-file.ts';

const uploadLimitsQuery = graphql(`
  query UploadLimits($organizationId: ID!) {
    organization(id: $organizationId) {
      id
      plan
      limits {
        maxUploadBytes
      }
    }
    usage(organizationId: $organizationId) {
      storage {
        usedBytes
        limitBytes
      }
    }
  }
`);

/** Uploads files and shows their progress. */
export function UploadArea() {
  const { organizationId } = useProject();
  const queue = useUploadQueue();
  const uploads = useProjectStore(queue);
  const [{ data }, readLimits] = useQuery({
    query: uploadLimitsQuery,
    variables: { organizationId },
    requestPolicy: 'cache-and-network',
  });
  const stored = uploads.filter(({ state }) => state === 'stored').length;
  useEffect(() => {
    if (stored > 0) readLimits({ requestPolicy: 'network-only' });
  }, [stored, readLimits]);

  const organization = data?.organization;
  const storage = data?.usage?.storage;
  const limit = organization
    ? { bytes: organization.limits.maxUploadBytes, plan: organization.plan }
    : null;
  const isFull =
    storage?.limitBytes != null &&
    storage.limitBytes > 0 &&
    storage.usedBytes >= storage.limitBytes;

  return (
    <Stack gap="xs">
      {isFull && (
        <Alert color="red" title="Storage is full">
          Delete documents or upgrade the plan to add more.
        </Alert>
      )}
      <Dropzone
        onDrop={(files) => void queue.add(files, limit)}
        aria-label="Upload files"
        inputProps={{ 'aria-label': 'Files to upload', accept: acceptedExtensions }}
        p="md"
      >
        <Group justify="center" gap="md" wrap="nowrap" mih={64} style={{ pointerEvents: 'none' }}>
          <Dropzone.Accept>
            <IconUpload size={28} stroke={1.5} aria-hidden />
          </Dropzone.Accept>
          <Dropzone.Idle>
            <IconFileText size={28} stroke={1.5} aria-hidden />
          </Dropzone.Idle>
          <div>
            <Text fw={500}>Drop files here, or click to choose</Text>
            <Text size="sm" c="dimmed">
              {supportedFormats}
              {limit !== null && `, up to ${formatBytes(limit.bytes)} each`}
              {storage?.limitBytes != null &&
                ` · ${formatBytes(storage.usedBytes)} of ${formatBytes(storage.limitBytes)} used`}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {uploads.length > 0 && <UploadList queue={queue} uploads={uploads} />}
    </Stack>
  );
}
