import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useOperator } from '../project/operator.tsx';
import { ConversationActivity } from './conversation-activity.tsx';
import classes from './inbox.module.css';
import { NoteForm } from './note-form.tsx';
import { readDraft } from './reply-drafts.ts';
import { shortcutTargets } from './shortcuts.tsx';

/**
 * The fields below a transcript. Only the owner of the conversation has the reply form (`renderReply`). Every agent has
 * the form for internal notes. The bar below the field contains the switch between both, and the activity of others in
 * the conversation. `above` is above the field.
 */
export function Composer({
  conversationId,
  above,
  renderReply,
}: {
  readonly conversationId: string;
  readonly above: ReactNode;
  /** Null if the operator may not reply. `bar` belongs into the row of buttons. */
  readonly renderReply: ((bar: ReactNode) => ReactNode) | null;
}) {
  const { id: operatorId } = useOperator();
  const [isNote, setIsNote] = useState(
    () => readDraft({ operatorId, conversationId, kind: 'note' }) !== '',
  );
  /**
   * Whether the operator opened the field. If the note field appears with the draft of an unfinished note, this is
   * false, because the field must not take the focus from the list.
   */
  const [isOpened, setIsOpened] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const canReply = renderReply !== null;
  const showNote = (isShown: boolean) => {
    setIsNote(isShown);
    setIsOpened(true);
  };
  useEffect(() => {
    if (isOpened && !isNote) container.current?.querySelector('textarea')?.focus();
  }, [isOpened, isNote]);
  const bar = (
    <>
      {canReply && <ModeSwitch isNote={isNote} onChange={showNote} />}
      <ConversationActivity conversationId={conversationId} />
    </>
  );
  return (
    <div ref={container} className={classes.reply} data-note={isNote || undefined}>
      {above}
      {renderReply !== null && <div hidden={isNote}>{renderReply(isNote ? null : bar)}</div>}
      {isNote && (
        <NoteForm
          conversationId={conversationId}
          bar={bar}
          isFocused={isOpened}
          onClose={canReply ? undefined : () => showNote(false)}
        />
      )}
      {!canReply && !isNote && (
        <div className={classes.bar}>
          <Button
            {...shortcutTargets.note}
            variant="subtle"
            size="xs"
            px={6}
            onClick={() => showNote(true)}
          >
            Add a note
          </Button>
          {bar}
        </div>
      )}
    </div>
  );
}

function ModeSwitch({
  isNote,
  onChange,
}: {
  readonly isNote: boolean;
  readonly onChange: (isNote: boolean) => void;
}) {
  const modes = [
    { value: 'reply', label: <span {...(isNote && shortcutTargets.reply)}>Reply</span> },
    { value: 'note', label: <span {...(!isNote && shortcutTargets.note)}>Note</span> },
  ];
  return (
    <SegmentedControl
      aria-label="What to write"
      size="xs"
      data={modes}
      value={isNote ? 'note' : 'reply'}
      onChange={(mode) => onChange(mode === 'note')}
    />
  );
}
