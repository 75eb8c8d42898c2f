import { element, icon } from './element.ts';

export interface ComposerView {
  readonly root: HTMLFormElement;
  focus(): void;
  setBusy(isBusy: boolean): void;
}

/** Where the visitor writes: Enter sends, Shift and Enter begins a line. */
export function composerView(send: (message: string) => void): ComposerView {
  let isBusy = false;
  const field = element('textarea', {
    id: 'message',
    rows: '1',
    maxlength: '4000',
    dir: 'auto',
    placeholder: 'Your question',
    enterkeyhint: 'send',
  });
  const submit = element(
    'button',
    { type: 'submit', class: 'icon send', 'aria-label': 'Send' },
    icon('send'),
  );
  const label = element('label', { class: 'hidden', for: 'message' }, 'Your question');
  const root = element('form', { class: 'composer' }, label, field, submit);
  const update = () => {
    submit.setAttribute('aria-disabled', String(isBusy || field.value.trim() === ''));
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
    setBusy(busy) {
      isBusy = busy;
      update();
    },
  };
}

/** Whether the key is for an input method; Safari says so of the one that ends it by its code alone. */
function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
