import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { notifyProblem } from '../components/error-messages.tsx';
import { useProject } from '../project/project.tsx';
import { download, saveFile } from '../session/download.ts';
import { useSession } from '../session/session-gate.tsx';
import type { ConversationFilter } from './conversation-filter.ts';

const formats = { csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, for programs' } as const;

/**
 * Downloads all conversations that match the filter. The export stops when the operator leaves the page or clicks
 * *Cancel*.
 */
export function ExportButton({ filter }: { readonly filter: ConversationFilter }) {
  const { id: projectId } = useProject();
  const session = useSession();
  const running = useRef<AbortController>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const save = async (format: keyof typeof formats) => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    try {
      const content = await download(session, '/dashboard/export', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ projectId, format, ...filter.variables }),
        signal: controller.signal,
      });
      saveFile(content, `conversations.${format}`);
    } catch (error) {
      if (controller.signal.aborted) return;
      notifyProblem('The conversations were not exported', (error as Error).message);
    } finally {
      setRunning(false);
    }
  };
  if (isRunning) {
    return (
      <Button variant="default" onClick={() => running.current?.abort()}>
        Cancel the export
      </Button>
    );
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All conversations that match the filters</Menu.Label>
        {(['csv', 'ndjson'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
