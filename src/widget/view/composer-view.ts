import type { Texts } from '../texts/texts.ts';
import { button, element, icon, setAttribute } from './element.ts';

export interface ComposerView {
  readonly root: HTMLFormElement;
  focus(): void;
  update(state: { readonly isBusy: boolean; readonly canStop: boolean }): void;
}

/** Where the visitor writes: Enter sends, Shift and Enter begins a line. While an answer is given, it can be stopped. */
export function composerView(
  texts: Texts,
  { send, stop }: { send(message: string): void; stop(): Promise<void> },
): ComposerView {
  let isBusy = false;
  let canStop = false;
  let answeredAt = Number.NEGATIVE_INFINITY;
  const field = element('textarea', {
    id: 'message',
    rows: '1',
    maxlength: '4000',
    dir: 'auto',
    placeholder: texts.yourQuestion,
    enterkeyhint: 'send',
  });
  const submit = element(
    'button',
    { type: 'submit', class: 'icon send', 'aria-label': texts.send },
    icon('send'),
  );
  const stopping = button(
    { class: 'icon send stop', 'aria-label': texts.stop, title: texts.stop, hidden: true },
    ({ detail }) => {
      // The second click of those who click twice was for what stood here before.
      if (!canStop || detail > 1) return;
      field.focus();
      setAttribute(stopping, 'aria-disabled', 'true');
      stop().then(update, update);
    },
    icon('stop'),
  );
  const label = element('label', { class: 'hidden', for: 'message' }, texts.yourQuestion);
  const root = element('form', { class: 'composer' }, label, field, submit, stopping);
  const update = () => {
    submit.hidden = isBusy;
    stopping.hidden = !isBusy;
    setAttribute(submit, 'aria-disabled', String(field.value.trim() === ''));
    setAttribute(stopping, 'aria-disabled', String(!canStop));
  };
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    const message = field.value.trim();
    const isMeantToStop = event.submitter !== null && performance.now() - answeredAt < handsOffMs;
    if (isBusy || message === '' || isMeantToStop) return;
    field.value = '';
    update();
    field.focus();
    send(message);
  });
  field.addEventListener('input', update);
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
        answeredAt = performance.now();
        if (hasFocus(stopping)) field.focus();
      }
      ({ isBusy, canStop } = state);
      update();
    },
  };
}

/** How long a click on what sends may be meant for what has just stopped there. */
const handsOffMs = 400;

function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  return root instanceof ShadowRoot && root.activeElement === element;
}

/** Whether the key is for an input method; Safari says so of the one that ends it by its code alone. */
function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
