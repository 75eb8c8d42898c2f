import { Badge, Loader } from '@mantine/core';

const colors = { PROCESSING: 'yellow', READY: 'green', FAILED: 'red' } as const;

/** The status of a document. Searches and answers use only READY documents. */
export function DocumentStatus({ status }: { readonly status: keyof typeof colors }) {
  return (
    <Badge
      variant="light"
      color={colors[status]}
      style={{ flexShrink: 0 }}
      leftSection={
        status === 'PROCESSING' && <Loader size={10} color={colors[status]} aria-hidden />
      }
    >
      {status}
    </Badge>
  );
}
