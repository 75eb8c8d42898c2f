import { ApiError } from '../api.ts';
import type { Texts } from '../texts/texts.ts';
import { button, element } from './element.ts';

export interface HandoffForm {
  readonly root: HTMLFormElement;
  open(): void;
}

/** Asks for a person; everything that is asked of the visitor may be left out. */
export function handoffForm(
  texts: Texts,
  {
    request,
    close,
  }: {
    request(contact: Readonly<Record<string, string>>): Promise<void>;
    close(isDone: boolean): void;
  },
): HandoffForm {
  const name = element('input', {
    id: 'name',
    autocomplete: 'name',
    maxlength: '200',
    dir: 'auto',
  });
  const email = element('input', {
    id: 'email',
    type: 'email',
    autocomplete: 'email',
    maxlength: '254',
  });
  const reason = element('textarea', { id: 'reason', rows: '2', maxlength: '2000', dir: 'auto' });
  const problem = element('p', { class: 'failure', role: 'alert' });
  const submit = element('button', { type: 'submit', class: 'primary' }, texts.askForPerson);
  const title = element('h2', { id: 'handoff-title' }, texts.talkToHuman);
  const root = element(
    'form',
    { class: 'handoff', 'aria-labelledby': 'handoff-title', novalidate: true, hidden: true },
    title,
    element('p', { class: 'hint' }, texts.handoffHint),
    field(texts.name, name),
    field(texts.email, email),
    field(texts.reason, reason),
    problem,
    element(
      'div',
      { class: 'buttons' },
      button({}, () => close(false), texts.cancel),
      submit,
    ),
  );
  root.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    problem.textContent = '';
    const given = {
      name: name.value.trim(),
      email: email.value.trim(),
      reason: reason.value.trim(),
    };
    try {
      await request(Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')));
      root.reset();
      close(true);
    } catch (error) {
      problem.textContent = texts[problemOf(error)];
    } finally {
      submit.disabled = false;
    }
  });
  return {
    root,
    open() {
      problem.textContent = '';
      name.focus();
    },
  };
}

function field(label: string, input: HTMLElement): HTMLElement {
  return element('p', { class: 'field' }, element('label', { for: input.id }, label), input);
}

/** All else that may be wrong with a field, the form does not let in. */
function problemOf(error: unknown): 'wrongEmail' | 'tooMany' | 'nobodyAsked' {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'VALIDATION_FAILED') return 'wrongEmail';
  return code === 'RATE_LIMITED' ? 'tooMany' : 'nobodyAsked';
}
