import { useLocalStorage } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';

/**
 * The key that sends a text: `enter` is Enter, `modified` is Ctrl or ⌘ with Enter. Ctrl or ⌘ with Enter always sends.
 */
export type SendKey = 'enter' | 'modified';

/**
 * On-screen keyboards have neither Shift nor Ctrl with Enter. So on a touch screen, Enter starts a new line and only
 * the button sends.
 */
const isTouch = window.matchMedia('(pointer: coarse)').matches;
export const defaultSendKey: SendKey = isTouch ? 'modified' : 'enter';

/** The key that sends replies, as the operator has chosen it in this browser. */
export function useSendKey(): [SendKey, (key: SendKey) => void] {
  const [stored, store] = useLocalStorage<SendKey>({
    key: 'grounded-chat send key',
    defaultValue: defaultSendKey,
    getInitialValueInEffect: false,
  });
  return [stored === 'enter' || stored === 'modified' ? stored : defaultSendKey, store];
}

/**
 * Returns whether a key press sends the text. Enter does not send if it ends the composition of an input method, which
 * Safari shows only by the key code 229. Alt with Enter does not send, because it starts a new line on a Mac.
 */
export function isSendKey(event: KeyboardEvent, sendKey: SendKey = defaultSendKey): boolean {
  const { isComposing, keyCode } = event.nativeEvent;
  if (event.key !== 'Enter' || event.altKey || isComposing || keyCode === 229) return false;
  return event.ctrlKey || event.metaKey || (sendKey === 'enter' && !event.shiftKey);
}

/** Takes the focus from a field on Escape, so that the shortcuts of the page work again. The text stays. */
export function leaveWithEscape(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'Escape' && !event.nativeEvent.isComposing) event.currentTarget.blur();
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const modifiedEnter = `${isMac ? '⌘' : 'Ctrl'} + Enter`;
/** Name of the key or button that sends when Enter does not send. */
export const otherThanEnter = isTouch ? 'the button' : modifiedEnter;

/** The hint below a field. */
export const sendHints: Readonly<Record<SendKey, string>> = {
  enter: 'Enter to send, Shift + Enter for a new line',
  modified: isTouch ? 'Enter for a new line' : `${modifiedEnter} to send, Enter for a new line`,
};

/** Order of the parts of a field, with the description below the input. */
export const hintBelow: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];
