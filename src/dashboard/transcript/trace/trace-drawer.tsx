import { Button, Drawer, Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { usePermissions } from '../../project/use-permissions.ts';

/** A separate script, loaded when a drawer is opened. */
export const TraceDetails = lazy(async () => ({
  default: (await import('./trace-details.tsx')).TraceDetails,
}));

/** A button that opens how an answer came about, for those who may read it: agents and above. */
export function TraceDrawer({
  label,
  children,
}: {
  /** Name of the button for screen readers, if the page has several. Default: the text of the button. */
  readonly label?: string;
  /** The trace. It is rendered, and so loaded, only while the drawer is open. */
  readonly children: ReactNode;
}) {
  const { canWorkHandoffs } = usePermissions();
  const [isOpen, setIsOpen] = useState(false);
  if (!canWorkHandoffs) return null;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        w="fit-content"
        aria-label={label}
        onClick={() => setIsOpen(true)}
      >
        Why this answer?
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        position="right"
        size="lg"
        title="Why this answer?"
        closeButtonProps={{ 'aria-label': 'Close' }}
        styles={{ title: { fontWeight: 600 } }}
      >
        <Suspense fallback={<Skeleton h={240} aria-label="Loading" />}>{children}</Suspense>
      </Drawer>
    </>
  );
}
