import type { Texts } from '../texts/language-texts.ts';
import { button, element, icon, setAttribute } from './dom.ts';

export interface ComposerView {
  readonly root: HTMLFormElement;
  focus(): void;
  update(state: { readonly isBusy: boolean; readonly canStop: boolean }): void;
}

interface ComposerActions {
  send(message: string): void;
  stop(): Promise<void>;
  onInput(hasText: boolean): void;
}

/**
 * The message field. Enter sends the message, Shift + Enter starts a new line. While an answer is generated, a stop
 * button replaces the send button.
 */
export function composerView(texts: Texts, { send, stop, onInput }: ComposerActions): ComposerView {
  let isBusy = false;
  let canStop = false;
  let finishedAtMs = Number.NEGATIVE_INFINITY;
  const field = element('textarea', {
    id: 'message',
    rows: '1',
    dir: 'auto',
    placeholder: texts.yourQuestion,
    enterkeyhint: 'send',
  });
  const sendButton = element(
    'button',
    { type: 'submit', class: 'icon send', 'aria-label': texts.send },
    icon('send'),
  );
  const stopButton = button(
    { class: 'icon send stop', 'aria-label': texts.stop, title: texts.stop, hidden: true },
    ({ detail }) => {
      // Ignore the second click of a double click. It was meant for the send button, which was at the same position.
      if (!canStop || detail > 1) return;
      field.focus();
      setAttribute(stopButton, 'aria-disabled', 'true');
      stop().then(update, update);
    },
    icon('stop'),
  );
  const label = element('label', { class: 'hidden', for: 'message' }, texts.yourQuestion);
  const length = lengthLine(texts);
  const row = element('div', { class: 'composer' }, label, field, sendButton, stopButton);
  const root = element('form', {}, row, length.root);
  const update = () => {
    sendButton.hidden = isBusy;
    stopButton.hidden = !isBusy;
    const count = lengthOf(field.value);
    const isTooLong = count > maxLength;
    length.update(count);
    setAttribute(field, 'aria-invalid', isTooLong && 'true');
    setAttribute(sendButton, 'aria-disabled', String(count === 0 || isTooLong));
    setAttribute(stopButton, 'aria-disabled', String(!canStop));
  };
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    const message = field.value.trim();
    const isLateStopClick =
      event.submitter !== null && performance.now() - finishedAtMs < stopClickGraceMs;
    if (isBusy || message === '' || lengthOf(message) > maxLength || isLateStopClick) return;
    field.value = '';
    update();
    field.focus();
    send(message);
  });
  field.addEventListener('input', () => {
    update();
    onInput(field.value.trim() !== '');
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    root.requestSubmit();
  });
  update();
  return {
    root,
    focus: () => field.focus(),
    update(state) {
      if (state.isBusy === isBusy && state.canStop === canStop) return;
      if (isBusy && !state.isBusy) {
        finishedAtMs = performance.now();
        if (hasFocus(stopButton)) field.focus();
      }
      ({ isBusy, canStop } = state);
      update();
    },
  };
}

/** Maximum length of a message in code points, which the service also counts. */
const maxLength = 4_000;
/** From this number of characters on, the composer shows how long the message is. */
const shownLength = 3_600;

/** Shows the length of the message when it is near the limit, or above it. */
function lengthLine(texts: Texts): { root: HTMLElement; update(count: number): void } {
  const counter = element('span', { 'aria-hidden': 'true' });
  const limit = element('span', { role: 'status' });
  const root = element('p', { class: 'length', hidden: true }, counter, limit);
  const number = new Intl.NumberFormat(texts.language);
  return {
    root,
    update(count) {
      const isTooLong = count > maxLength;
      root.hidden = count < shownLength;
      setAttribute(root, 'data-too-long', isTooLong);
      counter.textContent = `${number.format(count)} / ${number.format(maxLength)}`;
      limit.textContent = isTooLong ? texts.atMost(number.format(maxLength)) : '';
    },
  };
}

function lengthOf(text: string): number {
  return [...text.trim().normalize('NFC')].length;
}

/**
 * Clicks on the send button are ignored for this time after an answer. They were meant for the stop button, which was
 * at the same position.
 */
const stopClickGraceMs = 400;

function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  return root instanceof ShadowRoot && root.activeElement === element;
}

/**
 * Returns whether an input method editor handles the key. Safari marks the Enter that ends a composition only with the
 * key code 229.
 */
function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
