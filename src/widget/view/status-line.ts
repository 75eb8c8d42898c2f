import type { ChatState } from '../chat-state.ts';
import type { Settings } from '../settings.ts';
import { button, element } from './dom.ts';

export interface StatusLine {
  readonly root: HTMLElement;
  readonly retryButton: HTMLElement;
  update(state: ChatState): void;
}

/** Says in one line who answers, or why nobody does. If the service is unreachable, the visitor can try again. */
export function statusLine(settings: Settings, tryAgain: () => void): StatusLine {
  const root = element('p', { class: 'status', role: 'status', dir: 'auto' });
  const retryButton = button({ class: 'link' }, tryAgain, settings.texts.tryAgain);
  let shownText = '';
  return {
    root,
    retryButton,
    update(state) {
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
