import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode, Ref } from 'react';

interface IconButtonProps
  extends ActionIconProps,
    Omit<ComponentPropsWithoutRef<'button'>, keyof ActionIconProps | 'children'> {
  readonly ref?: Ref<HTMLButtonElement>;
  /** Accessible name, and the text of the tooltip. */
  readonly label: string;
  /** Text of the tooltip if it says more than the name. */
  readonly hint?: string;
  readonly children: ReactNode;
}

const events = { hover: true, focus: true, touch: false };

/** A button with an icon. Its name is shown as a tooltip. */
export function IconButton({ label, hint = label, children, ...button }: IconButtonProps) {
  return (
    <Tooltip label={hint} events={events}>
      <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} {...button}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
