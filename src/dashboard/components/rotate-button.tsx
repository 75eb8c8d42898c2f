import { Button, type ButtonProps, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

const overlapOptions = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 1 week' },
  { value: '2592000', label: 'In 30 days' },
];

/**
 * Replaces a key or secret. A dialog asks how long the old one stays valid. During this time, its users can switch to
 * the new one.
 */
export function RotateButton({
  credential,
  text,
  isRunning,
  onRotate,
  children,
  ...buttonProps
}: {
  readonly credential: 'key' | 'secret';
  readonly text: string;
  readonly isRunning: boolean;
  /** Resolves to true if that succeeded. */
  readonly onRotate: (overlapSeconds: number) => Promise<boolean>;
  readonly children: ReactNode;
  readonly size?: ButtonProps['size'];
  readonly 'aria-label'?: string;
}) {
  const [isOpen, dialog] = useDisclosure(false);
  const [overlap, setOverlap] = useState('86400');
  const rotate = async () => {
    if (await onRotate(Number(overlap))) dialog.close();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open} {...buttonProps}>
        {children}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={`Rotate this ${credential}?`}>
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
            <Button variant="default" onClick={dialog.close}>
              Cancel
            </Button>
            <Button loading={isRunning} onClick={() => void rotate()}>
              Rotate
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
