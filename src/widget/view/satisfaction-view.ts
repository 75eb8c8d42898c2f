import type { Satisfaction } from '../api.ts';
import { errorCodeOf } from '../api-error.ts';
import type { Texts } from '../texts/language-texts.ts';
import { button, element, field, iconButton, setAttribute } from './dom.ts';

export interface SatisfactionView {
  readonly root: HTMLElement;
  update(satisfaction: Satisfaction | null): void;
}

interface SatisfactionActions {
  rate(rating: number, comment: string): Promise<void>;
  dismiss(): void;
}

/**
 * The question that asks how satisfied the visitor was with the agent. A click on a level stores the level at once. So
 * a visitor who writes no comment has answered, too. Radio buttons are not suitable: with arrow keys, each level on the
 * way would be stored.
 */
export function satisfactionView(
  texts: Texts,
  { rate, dismiss }: SatisfactionActions,
): SatisfactionView {
  let shown: Satisfaction | null = null;
  let isEditing = true;
  let isSending = false;
  const announcement = element('p', { class: 'hidden', role: 'status' });
  const title = element('h2', { id: 'satisfaction-title' }, texts.satisfaction);
  const scale = ratingScale(texts, title.id, (rating) => void store(rating));
  const comment = commentField(texts);
  const summary = element('span', {});
  const change = button({ class: 'link' }, () => edit(), texts.change);
  const thanks = element('p', { class: 'thanks' }, summary, ' ', change);
  const failure = element('p', { class: 'failure', role: 'alert' });
  const form = element(
    'form',
    { class: 'satisfaction', 'aria-labelledby': title.id, hidden: true },
    element('div', { class: 'ask' }, title, iconButton(texts.close, 'close', dismiss)),
    scale.root,
    comment.root,
    thanks,
    failure,
  );

  const render = () => {
    const rating = shown?.rating ?? null;
    form.hidden = shown === null;
    scale.root.hidden = !isEditing;
    comment.root.hidden = !isEditing || rating === null;
    thanks.hidden = isEditing;
    summary.textContent = `${texts.satisfactionThanks} (${rating} / 5)`;
    scale.showRating(rating);
    announcement.textContent =
      shown === null ? '' : rating === null ? texts.satisfaction : texts.satisfactionThanks;
  };
  const edit = () => {
    isEditing = true;
    render();
    (scale.levels[(shown?.rating ?? 1) - 1] ?? comment.input).focus();
  };
  /** Returns whether the service has stored the rating. */
  const store = async (rating: number): Promise<boolean> => {
    if (isSending) return false;
    isSending = true;
    failure.textContent = '';
    try {
      await rate(rating, comment.input.value.trim());
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
        comment.input.value = satisfaction?.comment ?? '';
        failure.textContent = '';
      }
      shown = satisfaction;
      render();
    },
  };
}

/** The buttons for the ratings from 1 to 5. */
function ratingScale(texts: Texts, titleId: string, choose: (rating: number) => void) {
  const levels = texts.satisfactionLevels.map((label, index) =>
    button(
      { class: 'level', 'aria-label': `${index + 1}: ${label}`, title: label },
      () => choose(index + 1),
      String(index + 1),
    ),
  );
  const ends = element(
    'p',
    { class: 'ends', 'aria-hidden': 'true' },
    element('span', {}, texts.satisfactionLevels[0]),
    element('span', {}, texts.satisfactionLevels[4]),
  );
  const attributes = { class: 'scale', role: 'group', 'aria-labelledby': titleId };
  return {
    root: element('div', attributes, ...levels, ends),
    levels,
    showRating(rating: number | null) {
      levels.forEach((level, index) => {
        setAttribute(level, 'aria-pressed', String(index + 1 === rating));
      });
    },
  };
}

function commentField(texts: Texts) {
  const input = element('textarea', {
    id: 'satisfaction-comment',
    rows: '2',
    maxlength: '2000',
    dir: 'auto',
  });
  const send = element('button', { type: 'submit', class: 'primary' }, texts.send);
  const buttons = element('div', { class: 'buttons' }, send);
  return { root: field(texts.satisfactionComment, input, buttons), input };
}

function errorTextKeyOf(error: unknown): 'ratingClosed' | 'rateLimited' | 'ratingFailed' {
  const code = errorCodeOf(error);
  if (code === 'CONFLICT') return 'ratingClosed';
  return code === 'RATE_LIMITED' ? 'rateLimited' : 'ratingFailed';
}
