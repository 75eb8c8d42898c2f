import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useQuery } from 'urql';
import { useProject } from '../project/project.tsx';
import { useOwnDisplayName } from '../project/use-agent-name.ts';
import {
  fillPlaceholders,
  findSavedReplies,
  findSlashCommand,
  isWordStart,
} from './find-saved-replies.ts';
import { type SavedReply, savedRepliesQuery } from './saved-reply-operations.ts';

/** The open list. It belongs to a `/` in the field. */
interface OpenList {
  readonly index: number;
  readonly query: string;
  readonly activeIndex: number;
  /**
   * If the button opened the list: index of the text that the button inserted. This text is removed if nothing is
   * chosen. Null if the operator typed the `/`.
   */
  readonly removedFrom: number | null;
}

interface PickerField {
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly content: string;
  readonly onChange: (content: string) => void;
  readonly visitorName: string | null;
}

/**
 * Saved replies in the reply field. A `/` at the start of a word opens the list, and further letters filter it. The
 * arrow keys select a reply. Enter, Tab or a click replaces the `/` and the letters by the text of the reply. Escape
 * closes the list.
 *
 * The field keeps its role and the focus, and names the selected option with `aria-activedescendant`.
 */
export function useSavedReplyPicker({ fieldRef, content, onChange, visitorName }: PickerField) {
  const listId = useId();
  const names = { visitor: visitorName, agent: useOwnDisplayName() };
  const [list, setList] = useState<OpenList | null>(null);
  const replace = useReplacement(fieldRef, content, onChange);
  const { options, notice } = useFoundReplies(list?.query ?? null);
  const activeIndex = Math.min(list?.activeIndex ?? 0, options.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;

  const close = () => {
    setList(null);
    if (list === null || list.removedFrom === null) return;
    replace(list.removedFrom, list.index + 1 + list.query.length, '');
  };
  const choose = ({ content: text }: SavedReply) => {
    if (list === null) return;
    setList(null);
    replace(list.index, list.index + 1 + list.query.length, fillPlaceholders(text, names));
  };
  const move = (step: 1 | -1) => {
    const next = (activeIndex + step + options.length) % options.length;
    setList((shown) => shown && { ...shown, activeIndex: next });
  };

  return {
    isOpen: list !== null,
    ...{ options, activeIndex, listId, optionId, choose, notice },
    /** Inserts a `/` at the caret, which opens the list. If the list is open, closes it. */
    toggle() {
      const field = fieldRef.current;
      if (list !== null) close();
      if (list !== null || field === null) return;
      const caret = field.selectionStart;
      const space = isWordStart(content, caret) ? '' : ' ';
      field.focus();
      replace(caret, caret, `${space}/`);
      setList({ index: caret + space.length, query: '', activeIndex: 0, removedFrom: caret });
    },
    /** Call it with the new text after each change that the operator types. */
    onType(text: string, caret: number) {
      const command = findSlashCommand(text, caret);
      if (command === null) setList(null);
      else if (list?.index === command.index) setList({ ...list, ...command, activeIndex: 0 });
      else if (command.query === '') setList({ ...command, activeIndex: 0, removedFrom: null });
      else setList(null);
    },
    /** Returns whether the list has handled the key. */
    onKeyDown(event: KeyboardEvent): boolean {
      if (list === null || event.nativeEvent.isComposing) return false;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
      const option = options[activeIndex];
      if (event.key === 'Escape') close();
      else if (option === undefined) return false;
      else if (event.key === 'ArrowDown') move(1);
      else if (event.key === 'ArrowUp') move(-1);
      else if (event.key === 'Enter' || event.key === 'Tab') choose(option);
      else return false;
      event.preventDefault();
      return true;
    },
    /** Call it when the field loses the focus or its caret moves. */
    onCaret(caret: number | null) {
      if (list === null) return;
      const command = caret === null ? null : findSlashCommand(content, caret);
      if (command?.index !== list.index) close();
      else if (command.query !== list.query) setList({ ...list, ...command });
    },
    fieldProps: {
      'aria-autocomplete': 'list',
      'aria-controls': options.length > 0 ? listId : undefined,
      'aria-activedescendant': options.length > 0 ? optionId(activeIndex) : undefined,
    } as const,
  };
}

export type SavedReplyPicker = ReturnType<typeof useSavedReplyPicker>;

/** Returns a function that replaces a part of the field's text, and puts the caret after the new text. */
function useReplacement(
  fieldRef: RefObject<HTMLTextAreaElement | null>,
  content: string,
  onChange: (content: string) => void,
) {
  const nextCaret = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the field shows the new text
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    fieldRef.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  }, [content]);
  return (from: number, to: number, text: string) => {
    nextCaret.current = from + text.length;
    onChange(`${content.slice(0, from)}${text}${content.slice(to)}`);
  };
}

/** Returns the replies that match the query of the open list, or none if the query is null. */
function useFoundReplies(query: string | null) {
  const { id: projectId } = useProject();
  const [{ data, error }] = useQuery({
    query: savedRepliesQuery,
    variables: { projectId },
    pause: query === null,
    requestPolicy: 'cache-and-network',
  });
  const replies = data?.savedReplies ?? [];
  return {
    options: query === null ? [] : findSavedReplies(replies, query),
    /**
     * Message below an empty list: loading, failed, or no saved replies. Null as soon as the operator types a letter
     * after the `/`.
     */
    notice: query === '' ? noticeOf(data !== undefined, error !== undefined, replies) : null,
  };
}

function noticeOf(
  isLoaded: boolean,
  isFailed: boolean,
  replies: readonly SavedReply[],
): string | null {
  if (isFailed && !isLoaded) return 'The saved replies could not be loaded';
  if (!isLoaded) return 'Loading the saved replies…';
  return replies.length === 0
    ? 'This project has no saved replies. Admins add them in the settings.'
    : null;
}
