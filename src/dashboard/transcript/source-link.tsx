import { Anchor } from '@mantine/core';

/**
 * A link to the original of a document at its source. Shows nothing if the address is not a valid HTTP or HTTPS URL.
 */
export function SourceLink({
  sourceUrl,
  documentName,
}: {
  readonly sourceUrl: string | null;
  readonly documentName: string;
}) {
  const href = webAddress(sourceUrl);
  if (href === null) return null;
  return (
    <Anchor
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      size="xs"
      aria-label={`Open the source of ${documentName} in a new tab`}
      title={href}
    >
      Source ↗
    </Anchor>
  );
}

function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
