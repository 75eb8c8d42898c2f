import { ActionIcon, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconUpload, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../session/session-gate.tsx';
import { useProject } from '../shell/project.tsx';
import { uploadFile } from './upload.ts';

interface Upload {
  readonly id: number;
  readonly name: string;
  /** 0 to 1. */
  readonly sent: number;
  /** Why it was refused, or null. */
  readonly failure: string | null;
  readonly cancel: () => void;
}

const uploadsAtOnce = 3;
let lastId = 0;

/** Takes any number of files, some at once, and shows how far each has come until the list of documents has it. */
export function UploadArea() {
  const session = useSession();
  const { id: projectId } = useProject();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  const forget = (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id));

  const start = async (files: readonly File[]) => {
    const waiting = files.map((file) => {
      const leaving = new AbortController();
      return { id: ++lastId, file, leaving };
    });
    setUploads((all) => [
      ...all,
      ...waiting.map(({ id, file, leaving }) => ({
        id,
        name: file.name,
        sent: 0,
        failure: null,
        cancel: () => leaving.abort(),
      })),
    ]);
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { id, file, leaving } = next;
        if (leaving.signal.aborted) continue;
        const { isStored, message } = await uploadFile(session, {
          projectId,
          file,
          signal: leaving.signal,
          onProgress: (sent) => change(id, { sent }),
        });
        if (isStored || leaving.signal.aborted) forget(id);
        else change(id, { failure: message });
      }
    };
    await Promise.all(Array.from({ length: uploadsAtOnce }, worker));
  };

  return (
    <Stack gap="xs">
      <Dropzone
        onDrop={start}
        aria-label="Upload files"
        inputProps={{ 'aria-label': 'Files to upload' }}
      >
        <Group justify="center" gap="sm" mih={72} style={{ pointerEvents: 'none' }}>
          <IconUpload size={24} stroke={1.5} aria-hidden />
          <Text>Drop PDF, DOCX, TXT, CSV or Markdown files here, or click to choose</Text>
        </Group>
      </Dropzone>
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} onForget={() => forget(upload.id)} />
      ))}
    </Stack>
  );
}

function UploadRow({
  upload: { name, sent, failure, cancel },
  onForget,
}: {
  readonly upload: Upload;
  readonly onForget: () => void;
}) {
  return (
    <Card withBorder padding="xs" role={failure === null ? undefined : 'alert'}>
      <Group wrap="nowrap">
        <Text size="sm" truncate flex={1}>
          {name}
        </Text>
        {failure === null ? (
          <Progress value={sent * 100} w={160} aria-label={`Upload of ${name}`} />
        ) : (
          <Text size="sm" c="red">
            {failure}
          </Text>
        )}
        <ActionIcon
          variant="subtle"
          aria-label={failure === null ? `Cancel the upload of ${name}` : `Dismiss ${name}`}
          onClick={() => {
            cancel();
            onForget();
          }}
        >
          <IconX size={16} />
        </ActionIcon>
      </Group>
    </Card>
  );
}
