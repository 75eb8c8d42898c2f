import { createApi } from './api.ts';
import { createChat } from './chat.ts';
import { readSettings, type Settings } from './settings.ts';
import { isSameUser, readUser, type User } from './user.ts';
import { type MountedWidget, mountWidget } from './view/mount-widget.ts';
import { createVisitorStateStore } from './visitor-state-store.ts';

/** The API for the host page, `window.GroundedChat`. */
export interface GroundedChat {
  open(): void;
  close(): void;
  /**
   * Continues as this user. The back end of the page has signed the user's id. Null: continues as an anonymous visitor.
   */
  identify(user: User | null): void;
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && !('GroundedChat' in window)) start(script);

function start(script: HTMLScriptElement): void {
  const settings = readSettings(script);
  if (settings === null) {
    console.error(
      'grounded-chat: the script tag has no valid data-key. Copy the tag from Settings → Widget.',
    );
    return;
  }
  const mount = () => {
    let { user } = settings;
    let widget = startWidget(settings);
    const api: GroundedChat = {
      open: () => widget.open(),
      close: () => widget.close(),
      identify(given) {
        const next = readUser(given);
        if (isSameUser(user, next)) return;
        user = next;
        // Stop everything, including requests that still run, so that no other user can see anything of this user's
        // chat.
        widget.dispose();
        widget = startWidget({ ...settings, user });
      },
    };
    Object.defineProperty(window, 'GroundedChat', { value: api });
    window.dispatchEvent(new Event('grounded-chat:ready'));
  };
  if (document.body === null) document.addEventListener('DOMContentLoaded', mount, { once: true });
  else mount();
}

/** Starts the chat of one user or of an anonymous visitor. */
function startWidget(settings: Settings): MountedWidget {
  const visit = createVisitorStateStore(settings.key, settings.user?.userId ?? null);
  const chat = createChat(createApi(settings, visit), visit, {
    isSignedIn: settings.user !== null,
  });
  const { open, close, dispose } = mountWidget(chat, settings, visit);
  chat.resumeIfWaiting();
  return {
    open,
    close,
    dispose() {
      visit.dispose();
      chat.dispose();
      dispose();
    },
  };
}
