import { Center, Loader } from '@mantine/core';

/** Shown while the script of a page or tab is loaded. */
export function PageLoader() {
  return (
    <Center h="50dvh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
