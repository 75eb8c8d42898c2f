import { errorCodeOf, type Satisfaction } from '../api.ts';
import type { Texts } from '../texts/language-texts.ts';
import { button, element, icon, setAttribute } from './dom.ts';

export interface SatisfactionView {
  readonly root: HTMLElement;
  update(satisfaction: Satisfaction | null): void;
}

/**
 * The question that asks how satisfied the visitor was with the agent. A click on a level stores the level at once. So
 * a visitor who writes no comment has answered, too. Radio buttons are not suitable: with arrow keys, each level on the
 * way would be stored.
 */
export function satisfactionView(
  texts: Texts,
  {
    rate,
    dismiss,
  }: {
    rate(rating: number, comment: string): Promise<void>;
    dismiss(): void;
  },
): SatisfactionView {
  let shown: Satisfaction | null = null;
  let isEditing = true;
  let isSending = false;
  const announcement = element('p', { class: 'hidden', role: 'status' });
  const title = element('h2', { id: 'satisfaction-title' }, texts.satisfaction);
  const levels = texts.satisfactionLevels.map((label, index) =>
    button(
      { class: 'level', 'aria-label': `${index + 1}: ${label}`, title: label },
      () => void store(index + 1),
      String(index + 1),
    ),
  );
  const ends = element(
    'p',
    { class: 'ends', 'aria-hidden': 'true' },
    element('span', {}, texts.satisfactionLevels[0]),
    element('span', {}, texts.satisfactionLevels[4]),
  );
  const scale = element('div', { role: 'group', 'aria-labelledby': title.id }, ...levels, ends);
  scale.className = 'scale';
  const comment = element('textarea', {
    id: 'satisfaction-comment',
    rows: '2',
    maxlength: '2000',
    dir: 'auto',
  });
  const send = element('button', { type: 'submit', class: 'primary' }, texts.send);
  const more = element(
    'div',
    { class: 'field' },
    element('label', { for: comment.id }, texts.satisfactionComment),
    comment,
    element('div', { class: 'buttons' }, send),
  );
  const summary = element('span', {});
  const change = button({ class: 'link' }, () => edit(), texts.change);
  const thanks = element('p', { class: 'thanks' }, summary, ' ', change);
  const failure = element('p', { class: 'failure', role: 'alert' });
  const form = element(
    'form',
    { class: 'satisfaction', 'aria-labelledby': title.id, hidden: true },
    element(
      'div',
      { class: 'ask' },
      title,
      button(
        { class: 'icon', 'aria-label': texts.close, title: texts.close },
        dismiss,
        icon('close'),
      ),
    ),
    scale,
    more,
    thanks,
    failure,
  );

  const render = () => {
    const rating = shown?.rating ?? null;
    form.hidden = shown === null;
    scale.hidden = !isEditing;
    more.hidden = !isEditing || rating === null;
    thanks.hidden = isEditing;
    summary.textContent = `${texts.satisfactionThanks} (${rating} / 5)`;
    levels.forEach((level, index) => {
      setAttribute(level, 'aria-pressed', String(index + 1 === rating));
    });
    announcement.textContent =
      shown === null ? '' : rating === null ? texts.satisfaction : texts.satisfactionThanks;
  };
  const edit = () => {
    isEditing = true;
    render();
    (levels[(shown?.rating ?? 1) - 1] ?? comment).focus();
  };
  /** Returns whether the service has stored the rating. */
  const store = async (rating: number): Promise<boolean> => {
    if (isSending) return false;
    isSending = true;
    failure.textContent = '';
    try {
      await rate(rating, comment.value.trim());
      return true;
    } catch (error) {
      failure.textContent = texts[errorTextKeyOf(error)];
      return false;
    } finally {
      isSending = false;
    }
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const rating = shown?.rating;
    if (rating == null || !(await store(rating))) return;
    isEditing = false;
    render();
    change.focus();
  });
  return {
    root: element('div', {}, announcement, form),
    update(satisfaction) {
      if (satisfaction === shown) return;
      if (satisfaction?.handoffId !== shown?.handoffId) {
        isEditing = satisfaction?.rating == null;
        comment.value = satisfaction?.comment ?? '';
        failure.textContent = '';
      }
      shown = satisfaction;
      render();
    },
  };
}

function errorTextKeyOf(error: unknown): 'ratingClosed' | 'rateLimited' | 'ratingFailed' {
  const code = errorCodeOf(error);
  if (code === 'CONFLICT') return 'ratingClosed';
  return code === 'RATE_LIMITED' ? 'rateLimited' : 'ratingFailed';
}
