import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
  { value: '2592000', label: '30 days' },
];

/** Asks for how long the old key or secret goes on working, so that whoever uses it can change over. */
export function RotateModal({
  opened,
  onClose,
  what,
  text,
  isRunning,
  onRotate,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly what: 'key' | 'secret';
  readonly text: string;
  readonly isRunning: boolean;
  readonly onRotate: (overlapSeconds: number) => void;
}) {
  const [overlap, setOverlap] = useState('86400');
  return (
    <Modal opened={opened} onClose={onClose} title={`Rotate this ${what}?`}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Select
          label={`The old ${what} goes on working for`}
          data={overlaps}
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
