import { Spoiler } from '@mantine/core';
import type { ReactNode } from 'react';

/** A text of which only the beginning is shown until a button is pressed. */
export function LongText({
  label,
  maxHeight,
  children,
}: {
  /** Name of the text for screen readers, unique on the page. */
  readonly label: string;
  /** Height of the beginning, in pixels. */
  readonly maxHeight: number;
  readonly children: ReactNode;
}) {
  return (
    <Spoiler
      maxHeight={maxHeight}
      showLabel="Show all"
      hideLabel="Show less"
      transitionDuration={0}
      showAriaLabel={`Show all of: ${label}`}
      hideAriaLabel={`Show less of: ${label}`}
      attributes={{ content: { 'aria-label': label } }}
    >
      {children}
    </Spoiler>
  );
}
