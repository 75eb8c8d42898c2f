import { Button, Code, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useId, useRef } from 'react';

/** A text to be taken elsewhere. Where the browser does not let the page copy it, it is selected. */
export function CopyText({
  label,
  text,
  isMain = false,
}: {
  /** What it is, such as "Secret". */
  readonly label: string;
  readonly text: string;
  readonly isMain?: boolean;
}) {
  const shown = useRef<HTMLElement>(null);
  const { copy, copied, error } = useClipboard();
  const id = useId();
  const take = () => {
    copy(text);
    if ('clipboard' in navigator || shown.current === null) return;
    getSelection()?.selectAllChildren(shown.current);
  };
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Code ref={shown} id={id} block className="copy-text">
        {text}
      </Code>
      <Button
        size="xs"
        w="fit-content"
        variant={isMain && !copied ? 'filled' : 'default'}
        aria-describedby={id}
        onClick={take}
      >
        {copied ? 'Copied' : error === null ? 'Copy' : 'Selected: copy it with the keyboard'}
      </Button>
      <span className="visually-hidden" aria-live="polite">
        {copied && `${label} copied`}
      </span>
    </Stack>
  );
}
