import { Avatar, Group, Text } from '@mantine/core';

/** The name of an agent with its initials. `title` is the stored name, such as the e-mail address. */
export function AgentName({ name, title }: { readonly name: string; readonly title: string }) {
  return (
    <Group gap={6} wrap="nowrap" title={title} miw={0}>
      <Avatar name={initialsName(name)} size={20} variant="filled" color="cyan" aria-hidden />
      <Text size="xs" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    </Group>
  );
}

/** Returns the text whose initials are shown: the words of a name, or those before the @ of an address. */
function initialsName(name: string): string {
  return (name.split('@')[0] ?? '').replaceAll(/[._:+-]+/g, ' ');
}
