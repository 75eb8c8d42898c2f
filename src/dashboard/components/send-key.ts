import { useLocalStorage } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';

/** The key that sends a text: Enter, or Ctrl or ⌘ with Enter. The second always sends. */
export type SendKey = 'enter' | 'modified';

/** On-screen keyboards have neither Shift nor Ctrl with Enter: there, Enter starts a new line and the button sends. */
const isTouch = window.matchMedia('(pointer: coarse)').matches;
export const defaultSendKey: SendKey = isTouch ? 'modified' : 'enter';

/** The operator's choice for replies in this browser. */
export function useSendKey(): [SendKey, (key: SendKey) => void] {
  const [stored, store] = useLocalStorage<SendKey>({
    key: 'grounded-chat send key',
    defaultValue: defaultSendKey,
    getInitialValueInEffect: false,
  });
  return [stored === 'enter' || stored === 'modified' ? stored : defaultSendKey, store];
}

/**
 * Returns whether a key press sends the text. An Enter that ends the composition of an input method does not. Safari
 * marks it only with the key code 229. Nor does Alt with Enter, which starts a new line on a Mac.
 */
export function isSendKey(event: KeyboardEvent, sendKey: SendKey = defaultSendKey): boolean {
  const { isComposing, keyCode } = event.nativeEvent;
  if (event.key !== 'Enter' || event.altKey || isComposing || keyCode === 229) return false;
  return event.ctrlKey || event.metaKey || (sendKey === 'enter' && !event.shiftKey);
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const modifiedEnter = `${isMac ? '⌘' : 'Ctrl'} + Enter`;
/** Name of the control that sends if Enter does not. */
export const otherThanEnter = isTouch ? 'the button' : modifiedEnter;

/** The text under a field. */
export const sendHints: Readonly<Record<SendKey, string>> = {
  enter: 'Enter to send, Shift + Enter for a new line',
  modified: isTouch ? 'Enter for a new line' : `${modifiedEnter} to send, Enter for a new line`,
};

/** Order of the parts of a field whose description is under it. */
export const hintBelow: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];
