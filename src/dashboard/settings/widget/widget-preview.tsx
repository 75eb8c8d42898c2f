import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import type { UpdateAllowedOrigins } from './edit-origins.ts';

/**
 * Links to the preview page of the service. Like any other site, the service itself must be an allowed domain of the
 * widget.
 */
export function WidgetPreview({
  publishableKey,
  origins,
  onEdit,
}: {
  readonly publishableKey: string;
  readonly origins: readonly string[];
  readonly onEdit: UpdateAllowedOrigins;
}) {
  const ownOrigin = location.origin;
  return (
    <section aria-labelledby="widget-preview">
      <Title order={2} size="h4" id="widget-preview" mb={4}>
        Preview
      </Title>
      {origins.includes(ownOrigin) ? (
        <Anchor href={`/widget/preview/${publishableKey}`} target="_blank" rel="noreferrer">
          Open the preview page
        </Anchor>
      ) : (
        <Group>
          <Text size="sm" c="dimmed">
            To preview the widget, allow {ownOrigin}.
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onEdit((current) => [...current, ownOrigin])}
          >
            Allow it
          </Button>
        </Group>
      )}
    </section>
  );
}
