import { errorCodeOf } from '../api-error.ts';
import type { Settings } from '../settings.ts';
import { button, element, field, setAttribute } from './dom.ts';

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
  const email = emailField(texts, user?.email ?? '');
  const reason = element('textarea', { id: 'reason', rows: '2', maxlength: '2000', dir: 'auto' });
  const failure = element('p', { class: 'failure', role: 'alert' });
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
    email.root,
    field(texts.reason, reason),
    failure,
    element(
      'div',
      { class: 'buttons' },
      button({}, () => close(false), texts.cancel),
      submit,
    ),
  );
  const clearFailures = () => {
    failure.textContent = '';
    email.showFailure(false);
  };
  root.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    clearFailures();
    if (!email.input.checkValidity()) return email.showFailure(true);
    submit.disabled = true;
    try {
      await request(filledIn({ name, email: email.input, reason }));
      root.reset();
      close(true);
    } catch (error) {
      const code = errorCodeOf(error);
      // The form enforces all limits except the service's rules for the e-mail address.
      if (code === 'VALIDATION_FAILED') email.showFailure(true);
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

function emailField(texts: Settings['texts'], value: string) {
  const input = element('input', {
    id: 'email',
    type: 'email',
    autocomplete: 'email',
    value,
    maxlength: '254',
  });
  const failure = element('p', { id: 'email-failure', class: 'failure', role: 'alert' });
  return {
    root: field(texts.email, input, failure),
    input,
    showFailure(isInvalid: boolean) {
      failure.textContent = isInvalid ? texts.invalidEmail : '';
      setAttribute(input, 'aria-invalid', isInvalid && 'true');
      setAttribute(input, 'aria-describedby', isInvalid && failure.id);
      if (isInvalid) input.focus();
    },
  };
}

/** Returns the trimmed texts of the fields that are not empty. */
function filledIn(inputs: Readonly<Record<string, { readonly value: string }>>) {
  const texts = Object.entries(inputs).map(([name, { value }]) => [name, value.trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}
