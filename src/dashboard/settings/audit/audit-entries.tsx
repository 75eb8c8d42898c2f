import { Box, Table, Text } from '@mantine/core';
import { Row, RowList } from '../../components/row-list.tsx';
import { type AuditEntry, actionLabels } from './audit-operations.ts';

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** Entries of the audit log. They are a table on large screens and a list on phones. */
export function AuditEntries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <>
      <Box visibleFrom="md">
        <Table aria-label="Audit log" layout="fixed" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={150}>Time</Table.Th>
              <Table.Th w="22%">Actor</Table.Th>
              <Table.Th>Action</Table.Th>
              <Table.Th w="20%">Client</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={entry.id} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                <Table.Td>
                  <EntryTime entry={entry} />
                </Table.Td>
                <Table.Td>{actorOf(entry)}</Table.Td>
                <Table.Td>
                  <Action entry={entry} />
                </Table.Td>
                <Table.Td>
                  <Client entry={entry} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      <Box hiddenFrom="md">
        <RowList label="Audit log">
          {entries.map((entry) => (
            <Row key={entry.id}>
              <Action entry={entry} />
              <Text size="sm">By {actorOf(entry)}</Text>
              <EntryTime entry={entry} />
              <Client entry={entry} />
            </Row>
          ))}
        </RowList>
      </Box>
    </>
  );
}

function EntryTime({ entry: { createdAt } }: { readonly entry: AuditEntry }) {
  return (
    <Text component="time" dateTime={createdAt} size="sm" c="dimmed" display="block">
      {time.format(new Date(createdAt))}
    </Text>
  );
}

function actorOf({ actorType, actorName, actorId }: AuditEntry): string {
  if (actorType === 'CLI') return 'Command line';
  if (actorType === 'SERVICE') return 'Service role';
  const name = actorName ?? actorId ?? 'Unknown';
  return actorType === 'API_KEY' ? `API key ${name}` : name;
}

function Action({ entry }: { readonly entry: AuditEntry }) {
  const { action, actorName, targetName, targetId, change } = entry;
  const target = targetName ?? targetId;
  const fields = Object.entries(change as Record<string, unknown>).filter(
    ([, value]) => value !== null && value !== targetName,
  );
  return (
    <>
      <Text size="sm" fw={600}>
        {actionLabels[action]}
      </Text>
      {target !== actorName && <Text size="sm">{target}</Text>}
      {fields.length > 0 && (
        <Text size="xs" c="dimmed" lineClamp={3}>
          {fields.map(([name, value]) => `${formatName(name)}: ${formatValue(value)}`).join('; ')}
        </Text>
      )}
    </>
  );
}

/** Formats a name: `projectId` becomes `project id`. */
function formatName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Shows from which client the change came. The tooltip contains the request id, which is also in the log. */
function Client({ entry: { ipAddress, userAgent, requestId } }: { readonly entry: AuditEntry }) {
  return (
    <div title={requestId === null ? undefined : `Request ${requestId}`}>
      <Text size="sm">{ipAddress}</Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {userAgent}
      </Text>
    </div>
  );
}
