import type { Chat } from '../chat.ts';
import { type ChatState, stoppableMessageId } from '../chat-state.ts';
import type { Settings } from '../settings.ts';
import { composerView } from './composer-view.ts';
import { button, element } from './dom.ts';
import { satisfactionView } from './satisfaction-view.ts';

/**
 * Creates the view below the messages: the satisfaction question, the status, the button for a handoff and the
 * composer.
 */
export function talkView(chat: Chat, settings: Settings, openForm: () => void) {
  const { texts, signalsTyping } = settings;
  const composer = composerView(texts, {
    send: (message) => void chat.send(message),
    stop: chat.stop,
    onInput: signalsTyping ? chat.onInput : () => {},
  });
  const satisfaction = satisfactionView(texts, {
    rate: chat.rateHandoff,
    dismiss() {
      chat.dismissSatisfaction();
      composer.focus();
    },
  });
  const tryAgain = async () => {
    await chat.start();
    (composer.root.hidden ? status.retryButton : composer).focus();
  };
  const status = statusLine(settings, () => void tryAgain());
  const handoffButton = button({ class: 'human' }, openForm, texts.talkToHuman);
  return {
    root: element(
      'div',
      { class: 'talk' },
      satisfaction.root,
      status.root,
      handoffButton,
      composer.root,
    ),
    handoffButton,
    focus: composer.focus,
    update(state: ChatState) {
      const canTalk = state.phase === 'ready' || state.phase === 'starting';
      const isWithAssistant = state.status === 'OPEN' || state.status === 'RESOLVED';
      composer.update({
        isBusy: state.answeringKey !== null,
        canStop: stoppableMessageId(state) !== null,
      });
      composer.root.hidden = !canTalk && state.phase !== 'new';
      status.update(state);
      handoffButton.hidden = !isWithAssistant || !canTalk;
      handoffButton.classList.toggle('urged', isUnanswered(state));
      satisfaction.update(state.satisfaction);
    },
  };
}

/** Returns whether the last answer failed or cites no source. */
function isUnanswered({ items, status }: ChatState): boolean {
  const last = items.at(-1);
  if (last?.role !== 'ASSISTANT' || status === 'RESOLVED') return false;
  return last.state === 'failed' || (last.state === 'done' && last.citations.length === 0);
}

/** Says in one line who answers, or why nobody does. If the service is unreachable, the visitor can try again. */
function statusLine(settings: Settings, tryAgain: () => void) {
  const root = element('p', { class: 'status', role: 'status', dir: 'auto' });
  const retryButton = button({ class: 'link' }, tryAgain, settings.texts.tryAgain);
  let shownText = '';
  return {
    root,
    retryButton,
    update(state: ChatState) {
      const text = statusText(state, settings);
      if (text === shownText) return;
      root.replaceChildren(text, ...(state.phase === 'offline' ? [' ', retryButton] : []));
      shownText = text;
    },
  };
}

function statusText(
  { phase, status, outOfHoursText, teamHours }: ChatState,
  { texts, user }: Settings,
): string {
  const hasOwnText = teamHours?.outOfHoursText !== null;
  if (phase === 'refused') return texts.refused;
  if (phase === 'unverified') return user === null ? texts.signIn : texts.refused;
  if (phase === 'offline') return texts.offline;
  if (status === 'HANDOFF_REQUESTED') {
    if (outOfHoursText === null) return texts.teamNotified;
    return hasOwnText ? outOfHoursText : texts.outOfHours;
  }
  if (status === 'RESOLVED') return texts.resolved;
  return status === 'HUMAN' ? texts.withTeam : '';
}
