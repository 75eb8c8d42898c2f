import { ApiError } from '../api.ts';
import { button, element } from './element.ts';

export interface HandoffForm {
  readonly root: HTMLFormElement;
  open(): void;
}

/** Asks for a person; everything that is asked of the visitor may be left out. */
export function handoffForm({
  request,
  close,
}: {
  request(contact: Readonly<Record<string, string>>): Promise<void>;
  close(isDone: boolean): void;
}): HandoffForm {
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
  const submit = element('button', { type: 'submit', class: 'primary' }, 'Ask for a person');
  const title = element('h2', { id: 'handoff-title' }, 'Talk to a human');
  const root = element(
    'form',
    { class: 'handoff', 'aria-labelledby': 'handoff-title', novalidate: true, hidden: true },
    title,
    element('p', { class: 'hint' }, 'Our team answers in this chat. All of this is optional.'),
    field('Name', name),
    field('E-mail', email),
    field('What is it about?', reason),
    problem,
    element(
      'div',
      { class: 'buttons' },
      button({}, () => close(false), 'Cancel'),
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
      problem.textContent = problemOf(error);
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

function problemOf(error: unknown): string {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'VALIDATION_FAILED' || code === 'RATE_LIMITED') {
    return (error as ApiError).message.replace(/^email /, 'The e-mail ');
  }
  return 'Nobody could be asked. Check your connection, and try again.';
}
