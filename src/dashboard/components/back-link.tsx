import { Anchor, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'wouter';

/** A link from a detail to the list that contains it. */
export function BackLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Anchor component={Link} href={href} size="sm" w="fit-content">
      <Group gap={4}>
        <IconArrowLeft size={14} aria-hidden /> {children}
      </Group>
    </Anchor>
  );
}
