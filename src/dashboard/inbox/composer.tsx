import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useOperator } from '../project/operator.tsx';
import { ConversationActivity } from './conversation-activity.tsx';
import classes from './inbox.module.css';
import { NoteForm } from './note-form.tsx';
import { readDraft } from './reply-drafts.ts';

const modes = [
  { value: 'reply', label: 'Reply' },
  { value: 'note', label: 'Note' },
];

/**
 * The fields below a transcript. Only the owner of the conversation has the reply form (`children`). Every agent has
 * the form for internal notes. Above the form are `above` and the activity of others in the conversation.
 */
export function Composer({
  conversationId,
  above,
  children: replyForm,
}: {
  readonly conversationId: string;
  readonly above: ReactNode;
  readonly children: ReactNode;
}) {
  const { id: operatorId } = useOperator();
  const [isNote, setIsNote] = useState(
    () => readDraft({ operatorId, conversationId, kind: 'note' }) !== '',
  );
  /**
   * Whether the operator opened the note field. If the field appears with the draft of an unfinished note, this is
   * false, because the field must not take the focus from the list.
   */
  const [isOpened, setIsOpened] = useState(false);
  const canReply = replyForm !== false;
  const showNote = (isShown: boolean) => {
    setIsNote(isShown);
    setIsOpened(isShown);
  };
  return (
    <div className={classes.reply} data-note={isNote || undefined}>
      {above}
      <ConversationActivity conversationId={conversationId} />
      {canReply && (
        <SegmentedControl
          aria-label="What to write"
          size="xs"
          mb="xs"
          data={modes}
          value={isNote ? 'note' : 'reply'}
          onChange={(mode) => showNote(mode === 'note')}
        />
      )}
      {!canReply && !isNote && (
        <Button variant="subtle" size="xs" px={6} onClick={() => showNote(true)}>
          Add a note
        </Button>
      )}
      {isNote && (
        <NoteForm
          conversationId={conversationId}
          isFocused={isOpened}
          onClose={canReply ? undefined : () => showNote(false)}
        />
      )}
      {canReply && <div hidden={isNote}>{replyForm}</div>}
    </div>
  );
}
