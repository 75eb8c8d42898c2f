import { Text, VisuallyHidden } from '@mantine/core';
import classes from './inbox.module.css';
import type { SavedReplyPicker } from './use-saved-reply-picker.ts';

/** The saved replies that match the query, shown above the reply field. */
export function SavedReplyList({
  picker: { isOpen, options, activeIndex, listId, optionId, choose, notice },
}: {
  readonly picker: SavedReplyPicker;
}) {
  const count = options.length === 1 ? '1 saved reply' : `${options.length} saved replies`;
  return (
    <>
      <VisuallyHidden role="status">{isOpen && options.length > 0 && count}</VisuallyHidden>
      {notice !== null && (
        <div className={classes.savedReplies} role="status">
          <Text size="sm" p="xs">
            {notice}
          </Text>
        </div>
      )}
      {options.length > 0 && (
        <div
          className={classes.savedReplies}
          role="listbox"
          id={listId}
          aria-label="Saved replies"
          tabIndex={-1}
          // A click on the list must not take the focus from the field.
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.map((reply, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={reply.id}
              role="option"
              id={optionId(index)}
              aria-selected={index === activeIndex}
              tabIndex={-1}
              className={classes.savedReply}
              ref={(element) => {
                if (index === activeIndex) element?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => choose(reply)}
            >
              <Text size="sm" fw={600} truncate dir="auto">
                {reply.name}
              </Text>
              <Text size="xs" c="dimmed" truncate dir="auto">
                {reply.content}
              </Text>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
