import { errorCodeOf } from '../api.ts';
import type { Settings } from '../settings.ts';
import { button, element, setAttribute } from './dom.ts';

export interface HandoffForm {
  readonly root: HTMLFormElement;
  /** Gives the form the focus. Shows the notice above the fields, for example that the team is out of hours. */
  open(notice: string): void;
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
  const emailFailure = element('p', { id: 'email-failure', class: 'failure', role: 'alert' });
  const notice = element('p', { id: 'handoff-notice', class: 'notice', dir: 'auto' });
  const submit = element('button', { type: 'submit', class: 'primary' }, texts.contactTeam);
  const title = element('h2', { id: 'handoff-title' }, texts.talkToHuman);
  const root = element(
    'form',
    {
      class: 'handoff',
      'aria-labelledby': 'handoff-title',
      'aria-describedby': notice.id,
      novalidate: true,
      hidden: true,
    },
    title,
    notice,
    element('p', { class: 'hint' }, texts.handoffHint),
    field(texts.name, name),
    field(texts.email, email, emailFailure),
    field(texts.reason, reason),
    failure,
    element(
      'div',
      { class: 'buttons' },
      button({}, () => close(false), texts.cancel),
      submit,
    ),
  );
  const showEmailFailure = (isInvalid: boolean) => {
    emailFailure.textContent = isInvalid ? texts.invalidEmail : '';
    setAttribute(email, 'aria-invalid', isInvalid && 'true');
    setAttribute(email, 'aria-describedby', isInvalid && emailFailure.id);
    if (isInvalid) email.focus();
  };
  const clearFailures = () => {
    failure.textContent = '';
    showEmailFailure(false);
  };
  root.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    clearFailures();
    if (!email.checkValidity()) return showEmailFailure(true);
    submit.disabled = true;
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
      const code = errorCodeOf(error);
      // The form enforces all limits except the service's rules for the e-mail address.
      if (code === 'VALIDATION_FAILED') showEmailFailure(true);
      else failure.textContent = texts[code === 'RATE_LIMITED' ? 'rateLimited' : 'handoffFailed'];
    } finally {
      submit.disabled = false;
    }
  });
  return {
    root,
    open(text) {
      clearFailures();
      notice.textContent = text;
      name.focus();
    },
  };
}

function field(label: string, input: HTMLElement, failure: HTMLElement | null = null): HTMLElement {
  return element(
    'div',
    { class: 'field' },
    element('label', { for: input.id }, label),
    input,
    failure,
  );
}
