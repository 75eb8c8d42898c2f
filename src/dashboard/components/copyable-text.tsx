import { Button, Code, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useId, useRef } from 'react';

/** A text with a copy button. If the browser denies access to the clipboard, the button selects the text instead. */
export function CopyableText({
  label,
  text,
  isPrimary = false,
}: {
  /** The name of the text, for example "Secret". */
  readonly label: string;
  readonly text: string;
  readonly isPrimary?: boolean;
}) {
  const codeRef = useRef<HTMLElement>(null);
  const { copy, copied, error } = useClipboard();
  const id = useId();
  const copyOrSelect = () => {
    copy(text);
    if ('clipboard' in navigator || codeRef.current === null) return;
    getSelection()?.selectAllChildren(codeRef.current);
  };
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Code ref={codeRef} id={id} block className="copy-text">
        {text}
      </Code>
      <Button
        size="xs"
        w="fit-content"
        variant={isPrimary && !copied ? 'filled' : 'default'}
        aria-describedby={id}
        onClick={copyOrSelect}
      >
        {copied ? 'Copied' : error === null ? 'Copy' : 'Selected. Copy with the keyboard'}
      </Button>
      <span className="visually-hidden" aria-live="polite">
        {copied && `${label} copied`}
      </span>
    </Stack>
  );
}
