import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useProject } from '../project/project.tsx';
import type { SavedViews } from './use-saved-views.ts';

/** A link for each saved view. The current view is marked. Renders nothing without views. */
export function SavedViewLinks({ views, current }: SavedViews) {
  const { id: projectId } = useProject();
  if (views.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label="Saved views">
      {views.map((view) => {
        const isCurrent = view === current;
        return (
          <Button
            key={view.name}
            component={Link}
            href={`/${projectId}/conversations?${view.query}`}
            size="compact-sm"
            radius="xl"
            variant={isCurrent ? 'filled' : 'default'}
            aria-current={isCurrent ? 'page' : undefined}
            maw="100%"
          >
            {view.name}
          </Button>
        );
      })}
    </Group>
  );
}
