import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';

const overlapOptions = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 1 week' },
  { value: '2592000', label: 'In 30 days' },
];

/**
 * Dialog that asks how long the old key or secret stays valid. During this time, its users can switch to the new one.
 */
export function RotateModal({
  opened,
  onClose,
  credential,
  text,
  isRunning,
  onRotate,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly credential: 'key' | 'secret';
  readonly text: string;
  readonly isRunning: boolean;
  readonly onRotate: (overlapSeconds: number) => void;
}) {
  const [overlap, setOverlap] = useState('86400');
  return (
    <Modal opened={opened} onClose={onClose} title={`Rotate this ${credential}?`}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Select
          label={`The old ${credential} expires`}
          data={overlapOptions}
          allowDeselect={false}
          value={overlap}
          onChange={(value) => value !== null && setOverlap(value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isRunning} onClick={() => onRotate(Number(overlap))}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
