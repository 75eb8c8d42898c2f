import { Anchor, Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { UpdateAllowedOrigins } from './edit-origins.ts';
import { type LookValues, lookInputOf, type Widget } from './look-values.ts';
import classes from './widget-preview.module.css';

/**
 * Shows the widget with these values on the preview page of the service. Like any other site, the service itself must be
 * an allowed domain of the widget before it answers there.
 */
export function WidgetPreview({
  widget: { publishableKey, allowedOrigins },
  values,
  onEdit,
}: {
  readonly widget: Pick<Widget, 'publishableKey' | 'allowedOrigins'>;
  readonly values: LookValues;
  readonly onEdit: UpdateAllowedOrigins;
}) {
  const ownOrigin = location.origin;
  const address = `/widget/preview/${publishableKey}`;
  const frame = useRef<HTMLIFrameElement>(null);
  const show = () => {
    const { look, aiNotice } = lookInputOf(values);
    const page = frame.current?.contentWindow;
    // The API of the widget, which is missing until the page has loaded.
    if (page != null) Reflect.get(page, 'GroundedChat')?.preview({ ...look, aiNotice });
  };
  useEffect(show);
  return (
    <div className={classes.preview}>
      <div className={classes.page}>
        <iframe ref={frame} src={address} title="Preview of the widget" onLoad={show} />
      </div>
      <Group mt="xs">
        {allowedOrigins.includes(ownOrigin) ? (
          <Anchor size="sm" href={address} target="_blank" rel="noreferrer">
            Open the preview page
          </Anchor>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              To chat in the preview, allow {ownOrigin}.
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onEdit((current) => [...current, ownOrigin])}
            >
              Allow it
            </Button>
          </>
        )}
      </Group>
    </div>
  );
}
