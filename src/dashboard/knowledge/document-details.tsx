import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import type { ReactNode } from 'react';
import type { documentQuery } from './document-operations.ts';

export type DetailedDocument = ResultOf<typeof documentQuery>['document'];

/** Address, external id, tags and metadata of a document. Renders nothing if none of them is set. */
export function DocumentDetails({ document }: { readonly document: DetailedDocument }) {
  const { sourceUrl, externalId, tags } = document;
  const metadata = Object.entries(document.metadata);
  const showsExternalId = externalId !== null && externalId !== sourceUrl;
  if (sourceUrl === null && !showsExternalId && tags.length === 0 && metadata.length === 0)
    return null;
  return (
    <Stack component="dl" gap={4} m={0} aria-label="Details">
      {sourceUrl !== null && (
        <Detail label="Source URL">
          <Anchor href={sourceUrl} target="_blank" rel="noreferrer" size="sm">
            {sourceUrl}
          </Anchor>
        </Detail>
      )}
      {showsExternalId && <Detail label="External id">{externalId}</Detail>}
      {tags.length > 0 && (
        <Detail label="Tags">
          {tags.map((tag) => (
            <Badge key={tag} variant="light" tt="none">
              {tag}
            </Badge>
          ))}
        </Detail>
      )}
      {metadata.map(([name, value]) => (
        <Detail key={name} label={name}>
          {Array.isArray(value) ? value.join(', ') : String(value)}
        </Detail>
      ))}
    </Stack>
  );
}

function Detail({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Group gap="xs" align="baseline">
      <Text component="dt" size="sm" c="dimmed" miw={96} style={{ overflowWrap: 'anywhere' }}>
        {label}
      </Text>
      <Group component="dd" gap={4} m={0} fz="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Group>
    </Group>
  );
}
