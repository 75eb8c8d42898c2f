import { Button } from '@mantine/core';

/** The button below a list that loads its next page. */
export function ShowMoreButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick} w="fit-content">
      Show more
    </Button>
  );
}
