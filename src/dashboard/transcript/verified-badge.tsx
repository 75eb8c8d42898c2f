import { Badge, Tooltip } from '@mantine/core';

const explanation =
  'The website has signed this id. Name and e-mail come from the browser and are not verified.';

const tooltipEvents = { hover: true, focus: true, touch: true };

/** Marks an end user whose id the website has signed. */
export function VerifiedBadge({ endUserId }: { readonly endUserId: string | null }) {
  return (
    <Tooltip label={explanation} multiline maw={280} events={tooltipEvents}>
      <Badge variant="light" color="teal" tt="none" maw="100%" tabIndex={0}>
        Verified: <bdi>{endUserId}</bdi>
      </Badge>
    </Tooltip>
  );
}
