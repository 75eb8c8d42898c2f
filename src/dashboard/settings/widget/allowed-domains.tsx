import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import type { UpdateAllowedOrigins } from './edit-origins.ts';

/** Lists the domains that may show the widget. Adds and removes domains. */
export function AllowedDomains({
  origins,
  isBusy,
  onEdit,
}: {
  readonly origins: readonly string[];
  readonly isBusy: boolean;
  readonly onEdit: UpdateAllowedOrigins;
}) {
  const form = useForm({
    initialValues: { origin: '' },
    validate: { origin: (origin) => (origin.trim() === '' ? 'Enter a domain' : null) },
  });
  return (
    <section aria-labelledby="allowed-domains">
      <Title order={2} size="h4" id="allowed-domains" mb={4}>
        Allowed domains
      </Title>
      {origins.length === 0 ? (
        <Alert color="yellow" mb="sm" title="No domain is allowed yet">
          Add the domain of the website that shows the chat.
        </Alert>
      ) : (
        <Stack component="ul" gap={0} p={0} m={0} mb="sm" aria-labelledby="allowed-domains">
          {origins.map((origin) => (
            <Group
              component="li"
              key={origin}
              justify="space-between"
              wrap="nowrap"
              py={4}
              style={{
                listStyle: 'none',
                borderBottom: '1px solid var(--mantine-color-default-border)',
              }}
            >
              <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {origin}
              </Text>
              <ActionIcon
                variant="subtle"
                color="red"
                disabled={isBusy}
                aria-label={`Remove ${origin}`}
                onClick={() => onEdit((current) => current.filter((other) => other !== origin))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      <form
        onSubmit={form.onSubmit(async ({ origin }) => {
          const isSaved = await onEdit(
            (current) => [...current, origin.trim()],
            (reason) => form.setFieldError('origin', reason),
          );
          if (isSaved) form.reset();
        })}
      >
        <Group align="flex-start" wrap="nowrap">
          <TextInput
            label="Add a domain"
            description="https://www.example.com, or https://*.example.com for all subdomains"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            flex={1}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('origin')}
          />
          <Button type="submit" variant="default" mt={25} loading={isBusy}>
            Add
          </Button>
        </Group>
      </form>
    </section>
  );
}
