import { type Chat, type ChatState, stoppable } from '../chat.ts';
import type { Settings } from '../settings.ts';
import type { Texts } from '../texts/texts.ts';
import { composerView } from './composer-view.ts';
import { button, element, icon, pageLanguage } from './element.ts';
import { handoffForm } from './handoff-form.ts';
import { logView } from './log-view.ts';

export interface PanelView {
  readonly root: HTMLElement;
  focus(): void;
  update(state: ChatState): void;
}

/** The chat itself. */
export function panelView(chat: Chat, settings: Settings, close: () => void): PanelView {
  const { title, texts } = settings;
  const log = logView(settings, {
    retry(item) {
      chat.retry(item);
      composer.focus();
    },
    rate: (item, rating) => void chat.rate(item, rating),
  });
  const composer = composerView(texts, {
    send: (message) => void chat.send(message),
    stop: chat.stop,
  });
  const anew = button(
    { class: 'icon', 'aria-label': texts.newConversation, title: texts.newConversation },
    () => {
      chat.startAnew();
      composer.focus();
    },
    icon('anew'),
  );
  const closing = button(
    { class: 'icon', 'aria-label': texts.close, title: texts.close },
    close,
    icon('close'),
  );
  const human = button({ class: 'human' }, () => showForm(true), texts.talkToHuman);
  const status = element('p', { class: 'status', role: 'status', dir: 'auto' });
  const tryAgain = async () => {
    await chat.start();
    (composer.root.hidden ? again : composer).focus();
  };
  const again = button({ class: 'link' }, () => void tryAgain(), texts.tryAgain);
  let shownText = '';
  const talk = element('div', { class: 'talk' }, status, human, composer.root);
  const form = handoffForm(texts, {
    request: chat.requestHandoff,
    close(isDone) {
      showForm(false);
      if (isDone) composer.focus();
      else human.focus();
    },
  });
  const showForm = (isShown: boolean) => {
    form.root.hidden = !isShown;
    talk.hidden = isShown;
    offerAnew(chat.state);
    log.root.scrollTop = log.root.scrollHeight;
    if (isShown) form.open();
  };
  // The form is about the conversation that is shown.
  const offerAnew = ({ items, answering }: ChatState) => {
    anew.hidden = items.length === 0 || answering !== null || !form.root.hidden;
  };
  const heading = element(
    'h1',
    { id: 'title', dir: 'auto', lang: title !== texts.title && pageLanguage() },
    title,
  );
  const root = element(
    'section',
    { class: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    element('header', {}, heading, anew, closing),
    log.root,
    talk,
    form.root,
  );
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (form.root.hidden) close();
      else {
        showForm(false);
        human.focus();
      }
    } else if (event.key === 'Tab') keepFocusInside(root, event);
  });
  return {
    root,
    focus: () => (matchMedia('(pointer: coarse)').matches ? closing : composer).focus(),
    update(state) {
      log.update(state);
      const canTalk = state.phase === 'ready' || state.phase === 'starting';
      composer.update({
        isBusy: state.answering !== null,
        canStop: stoppable(state) !== null,
      });
      composer.root.hidden = !canTalk && state.phase !== 'new';
      const text = statusText(state, texts);
      if (text !== shownText) {
        status.replaceChildren(text, ...(state.phase === 'offline' ? [' ', again] : []));
        shownText = text;
      }
      const isWithAssistant = state.status === 'OPEN' || state.status === 'RESOLVED';
      human.hidden = !isWithAssistant || !canTalk;
      human.classList.toggle('urged', isUnanswered(state));
      offerAnew(state);
    },
  };
}

function statusText({ phase, status, outOfHoursText }: ChatState, texts: Texts): string {
  if (phase === 'refused') return texts.refused;
  if (phase === 'offline') return texts.offline;
  if (status === 'HANDOFF_REQUESTED') {
    return outOfHoursText ?? texts.teamAsked;
  }
  return status === 'HUMAN' ? texts.withTeam : '';
}

/** The documents did not hold an answer to the last question, or it broke off. */
function isUnanswered({ items, status }: ChatState): boolean {
  const last = items.at(-1);
  if (last?.role !== 'ASSISTANT' || status === 'RESOLVED') return false;
  return last.state === 'failed' || (last.state === 'done' && last.citations.length === 0);
}

/** Where the chat covers the page, what is beneath it cannot be reached. */
function keepFocusInside(root: HTMLElement, event: KeyboardEvent): void {
  if (!matchMedia('(max-width: 480px)').matches) return;
  const all = [
    ...root.querySelectorAll<HTMLElement>('button, textarea, input, summary, a, [tabindex]'),
  ].filter((candidate) => candidate.checkVisibility() && !candidate.hasAttribute('disabled'));
  const active = (root.getRootNode() as ShadowRoot).activeElement;
  const [leaving, next] = event.shiftKey ? [all.at(0), all.at(-1)] : [all.at(-1), all.at(0)];
  if (active !== leaving) return;
  event.preventDefault();
  next?.focus();
}
