import { createApi } from './api.ts';
import { createChat } from './chat.ts';
import { readSettings } from './settings.ts';
import { mountWidget } from './view/mount-widget.ts';
import { createVisitorStateStore } from './visitor-state-store.ts';

/** The API for the host page, `window.GroundedChat`. */
export interface GroundedChat {
  open(): void;
  close(): void;
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
  const visit = createVisitorStateStore(settings.key);
  const chat = createChat(createApi(settings, visit), visit);
  const mount = () => {
    const widget: GroundedChat = mountWidget(chat, settings, visit);
    Object.defineProperty(window, 'GroundedChat', { value: widget });
    chat.resumeIfWaiting();
  };
  if (document.body === null) document.addEventListener('DOMContentLoaded', mount, { once: true });
  else mount();
}
