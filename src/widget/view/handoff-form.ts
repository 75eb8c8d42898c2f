import { errorCodeOf } from '../api.ts';
import type { Settings } from '../settings.ts';
import { button, element } from './dom.ts';

export interface HandoffForm {
  readonly root: HTMLFormElement;
  open(): void;
}

/** The form that requests a handoff. All fields are optional. Name and e-mail of a signed-in user are filled in. */
export function handoffForm(
  { texts, user }: Pick<Settings, 'texts' | 'user'>,
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
    value: user?.name ?? '',
    maxlength: '200',
    dir: 'auto',
  });
  const email = element('input', {
    id: 'email',
    type: 'email',
    autocomplete: 'email',
    value: user?.email ?? '',
    maxlength: '254',
  });
  const reason = element('textarea', { id: 'reason', rows: '2', maxlength: '2000', dir: 'auto' });
  const failure = element('p', { class: 'failure', role: 'alert' });
  const submit = element('button', { type: 'submit', class: 'primary' }, texts.contactTeam);
  const title = element('h2', { id: 'handoff-title' }, texts.talkToHuman);
  const root = element(
    'form',
    { class: 'handoff', 'aria-labelledby': 'handoff-title', novalidate: true, hidden: true },
    title,
    element('p', { class: 'hint' }, texts.handoffHint),
    field(texts.name, name),
    field(texts.email, email),
    field(texts.reason, reason),
    failure,
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
    failure.textContent = '';
    const contact = {
      name: name.value.trim(),
      email: email.value.trim(),
      reason: reason.value.trim(),
    };
    try {
      await request(Object.fromEntries(Object.entries(contact).filter(([, text]) => text !== '')));
      root.reset();
      close(true);
    } catch (error) {
      failure.textContent = texts[errorTextKeyOf(error)];
    } finally {
      submit.disabled = false;
    }
  });
  return {
    root,
    open() {
      failure.textContent = '';
      name.focus();
    },
  };
}

function field(label: string, input: HTMLElement): HTMLElement {
  return element('p', { class: 'field' }, element('label', { for: input.id }, label), input);
}

/**
 * Returns the key of the error text. The form enforces all limits except the format of the e-mail address, so a
 * validation error is always about that.
 */
function errorTextKeyOf(error: unknown): 'invalidEmail' | 'rateLimited' | 'handoffFailed' {
  const code = errorCodeOf(error);
  if (code === 'VALIDATION_FAILED') return 'invalidEmail';
  return code === 'RATE_LIMITED' ? 'rateLimited' : 'handoffFailed';
}
