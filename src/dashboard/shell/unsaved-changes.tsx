import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { askFirst } from './ask-first.tsx';

/** How many forms hold what is not saved, and where. */
let forms = 0;
let address = '';

/** While `isDirty`, nothing leads away from the form without a question: no link, no way back, no closing of the tab. */
export function useUnsavedChanges(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    forms += 1;
    address = location.href;
    const keepTab = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', keepTab);
    return () => {
      forms -= 1;
      removeEventListener('beforeunload', keepTab);
    };
  }, [isDirty]);
}

let isLeaving = false;

// Browsers call listeners of a window in the order in which they were added: this one comes before the router's.
addEventListener('popstate', (event) => {
  if (forms === 0 || isLeaving) {
    isLeaving = false;
    return;
  }
  event.stopImmediatePropagation();
  history.pushState(null, '', address);
  askToLeave(() => {
    isLeaving = true;
    history.back();
  });
});

/** For the router, which leads every link through it. */
export const askWhileUnsaved: AroundNavHandler = (navigate, to, options) => {
  if (forms === 0) navigate(to, options);
  else askToLeave(() => navigate(to, options));
};

function askToLeave(leave: () => void): void {
  askFirst({
    title: 'Leave without saving?',
    text: 'What you have changed on this page is not saved yet.',
    confirm: 'Leave',
    cancel: 'Stay',
    onConfirm: leave,
  });
}
