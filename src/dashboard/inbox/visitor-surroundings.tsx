import { Anchor, Stack, Text } from '@mantine/core';
import { useNow } from '../components/use-now.ts';
import { describeBrowser } from '../format/describe-browser.ts';
import type { Conversation } from './conversation-head.tsx';
import classes from './inbox.module.css';

/** The page, browser and local time of the visitor's latest message. Renders nothing if the widget sent none of them. */
export function VisitorSurroundings({
  conversation: { visitorPage, visitorBrowser, visitorTimeZone },
}: {
  readonly conversation: Conversation;
}) {
  const now = useNow();
  if (visitorPage === null) return null;
  return (
    <Stack gap={2} component="section" aria-label="Page and browser">
      <Anchor
        size="xs"
        className={classes.text}
        // The service stores web addresses only. The page of the visitor is not verified.
        href={visitorPage}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {visitorPage.replace(/^https?:\/\//, '')}
      </Anchor>
      {visitorBrowser !== null && (
        <Text size="xs" c="dimmed">
          {describeBrowser(visitorBrowser)}
        </Text>
      )}
      {visitorTimeZone !== null && (
        <Text size="xs" c="dimmed">
          {localTime(now, visitorTimeZone)}
        </Text>
      )}
    </Stack>
  );
}

/** Returns the time and the zone, or only the zone if this browser does not know it. */
function localTime(now: number, timeZone: string): string {
  const name = timeZone.replaceAll('_', ' ');
  try {
    const options = { hour: '2-digit', minute: '2-digit', timeZone } as const;
    return `${new Date(now).toLocaleTimeString('en-GB', options)} in ${name}`;
  } catch {
    return name;
  }
}
