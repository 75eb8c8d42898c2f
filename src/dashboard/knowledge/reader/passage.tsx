import { Divider, Mark, Text } from '@mantine/core';
import { memo, useEffect, useRef } from 'react';
import type { LoadedChunk } from '../use-document-chunks.ts';
import classes from './reader.module.css';

/**
 * A chunk as a part of the text. Shows its page and headings only if they differ from those of the previous chunk. The
 * cited chunk is scrolled into view and receives the focus. The text is never parsed as markup.
 */
export const Passage = memo(function Passage({
  chunk: { page, context, content },
  isNewPage,
  isNewSection,
  isCited,
  quote,
}: {
  readonly chunk: LoadedChunk;
  readonly isNewPage: boolean;
  readonly isNewSection: boolean;
  readonly isCited: boolean;
  readonly quote: string | null;
}) {
  const passage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isCited) return;
    const marked = passage.current?.querySelector('mark') ?? passage.current;
    marked?.scrollIntoView({ block: 'center' });
    passage.current?.focus({ preventScroll: true });
  }, [isCited]);
  return (
    <>
      {isNewPage && page !== null && <Divider label={`Page ${page}`} labelPosition="left" my={4} />}
      <div
        ref={passage}
        className={classes.passage}
        aria-current={isCited ? 'true' : undefined}
        tabIndex={isCited ? -1 : undefined}
      >
        {isNewSection && context !== '' && (
          <Text
            component="div"
            size="xs"
            c="dimmed"
            dir="auto"
            lineClamp={2}
            className={classes.name}
          >
            {context}
          </Text>
        )}
        <p className={classes.text} dir="auto">
          {isCited && quote !== null ? <Quoted text={content} quote={quote} /> : content}
        </p>
      </div>
    </>
  );
});

function Quoted({ text, quote }: { readonly text: string; readonly quote: string }) {
  const start = text.indexOf(quote);
  if (start < 0) return text;
  return (
    <>
      {text.slice(0, start)}
      <Mark>{quote}</Mark>
      {text.slice(start + quote.length)}
    </>
  );
}
