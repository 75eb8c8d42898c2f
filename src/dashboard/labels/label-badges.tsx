import { Badge, Group } from '@mantine/core';
import { labelColors, labelShade } from './label-colors.ts';
import type { Label } from './label-operations.ts';

/** The labels of a conversation. Renders nothing if it has none. */
export function LabelBadges({
  labels,
  mt = 0,
}: {
  readonly labels: readonly Label[];
  readonly mt?: number;
}) {
  if (labels.length === 0) return null;
  return (
    <Group
      component="ul"
      gap={4}
      m={0}
      mt={mt}
      p={0}
      aria-label="Labels"
      style={{ listStyle: 'none' }}
    >
      {labels.map((label) => (
        <li key={label.id} style={{ display: 'flex', minWidth: 0, maxWidth: '100%' }}>
          <LabelBadge label={label} />
        </li>
      ))}
    </Group>
  );
}

export function LabelBadge({ label: { name, color } }: { readonly label: Omit<Label, 'id'> }) {
  return (
    <Badge
      variant="dot"
      size="sm"
      tt="none"
      color={`${labelColors[color]}.${labelShade}`}
      title={name}
      dir="auto"
    >
      {name}
    </Badge>
  );
}
