import { createApi } from './api.ts';
import { type Attributes, createAttributes } from './attributes.ts';
import { createChat } from './chat.ts';
import { parseLook } from './look.ts';
import { loadProjectLook, type ProjectLook } from './project-look.ts';
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
  /**
   * Says what is known of the visitor, in place of what was said before. At most 20 names, each with a text, a number or
   * a boolean. The next message carries it. The team sees it as not verified.
   */
  setAttributes(attributes: Readonly<Record<string, string | number | boolean>> | null): void;
  /** Opens the chat with another look of the project, which is not stored. For the form of the dashboard. */
  preview(look: object): void;
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) start(script);

function start(script: HTMLScriptElement): void {
  const settings = readSettings(script);
  if (settings === null) {
    console.error(
      'grounded-chat: the script tag has no valid data-key. Copy the tag from Settings → Widget.',
    );
    return;
  }
  const mount = () => {
    if ('GroundedChat' in window) {
      window.dispatchEvent(new CustomEvent(repeatedTag, { detail: settings }));
      return;
    }
    let { user } = settings;
    let tagUser = user;
    const projectLook = loadProjectLook(settings);
    const attributes = createAttributes(settings.attributes);
    let widget = startWidget(settings, projectLook, attributes);
    const api: GroundedChat = {
      open: () => widget.open(),
      close: () => widget.close(),
      identify(given) {
        const next = readUser(given);
        if (isSameUser(user, next)) return;
        // What was said of the previous user is not true of this one.
        if (user !== null) attributes.set(null);
        user = next;
        // Stop everything, including requests that still run, so that no other user can see anything of this user's
        // chat.
        widget.dispose();
        widget = startWidget({ ...settings, user }, projectLook, attributes);
      },
      setAttributes: (next) => attributes.set(next ?? null),
      preview(look) {
        projectLook.preview(parseLook(look));
        widget.openPreview();
      },
    };
    // A framework that loads pages without a reload runs the tag of each page. The user of the tag counts only if it is
    // another one than before, because the page may have called `identify`.
    window.addEventListener(repeatedTag, (event) => {
      if (!(event instanceof CustomEvent) || event.detail.key !== settings.key) return;
      const next = readUser(event.detail.user);
      if (!isSameUser(tagUser, next)) {
        tagUser = next;
        api.identify(next);
      }
      if (event.detail.attributes !== null) attributes.set(event.detail.attributes);
    });
    Object.defineProperty(window, 'GroundedChat', { value: api });
    window.dispatchEvent(new Event('grounded-chat:ready'));
  };
  if (document.body === null) document.addEventListener('DOMContentLoaded', mount, { once: true });
  else mount();
}

/** The event for the running widget when its tag runs again. Carries the settings of that tag. */
const repeatedTag = 'grounded-chat:tag';

/** Starts the chat of one user or of an anonymous visitor. */
function startWidget(
  settings: Settings,
  projectLook: ProjectLook,
  attributes: Attributes,
): MountedWidget {
  const visit = createVisitorStateStore(settings.key, settings.user?.userId ?? null);
  const chat = createChat(createApi(settings, visit, attributes), visit, {
    isSignedIn: settings.user !== null,
  });
  const mounted = mountWidget(chat, settings, projectLook, visit);
  chat.resumeIfWaiting();
  return {
    ...mounted,
    dispose() {
      visit.dispose();
      chat.dispose();
      mounted.dispose();
    },
  };
}
