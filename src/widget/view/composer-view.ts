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
    () => {
      if (!canStop) return;
      field.focus();
      setAttribute(stopping, 'aria-disabled', 'true');
      void stop().finally(update);
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
    if (isBusy || message === '') return;
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
      ({ isBusy, canStop } = state);
      update();
    },
  };
}

/** Whether the key is for an input method; Safari says so of the one that ends it by its code alone. */
function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
