import { createApi } from './api.ts';
import { createChat } from './chat.ts';
import { readSettings } from './settings.ts';
import { mountWidget } from './view/mount-widget.ts';
import { createVisit } from './visit.ts';

/** What a page may do with the widget, as `window.GroundedChat`. */
export interface GroundedChat {
  open(): void;
  close(): void;
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && !('GroundedChat' in window)) start(script);

function start(script: HTMLScriptElement): void {
  const settings = readSettings(script);
  if (settings === null) {
    console.error('grounded-chat: the script tag needs data-key="pk_…", from Settings → Widget');
    return;
  }
  const visit = createVisit(settings.key);
  const chat = createChat(createApi(settings, visit), visit);
  const mount = () => {
    const widget: GroundedChat = mountWidget(chat, settings);
    Object.defineProperty(window, 'GroundedChat', { value: widget });
    chat.resume();
  };
  if (document.body === null) document.addEventListener('DOMContentLoaded', mount, { once: true });
  else mount();
}
