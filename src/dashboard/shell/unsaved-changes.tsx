import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { askFirst } from './ask-first.tsx';

/** How many forms of the page hold what is not saved, and its address. */
let forms = 0;
let address = '';

/**
 * While `isDirty`, nothing leads away from the page without a question: no link, no way back, no closing of the tab. Its
 * query and fragment may change, as by a filter: the form stays.
 */
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
  if (isSamePage(location.href)) {
    address = location.href;
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
  if (forms > 0 && !isSamePage(to)) {
    askToLeave(() => navigate(to, options));
    return;
  }
  navigate(to, options);
  address = location.href;
};

function isSamePage(to: string): boolean {
  return new URL(to, address).pathname === new URL(address).pathname;
}

function askToLeave(leave: () => void): void {
  askFirst({
    title: 'Leave without saving?',
    text: 'What you have written on this page, or are shown only now, is kept nowhere else.',
    confirm: 'Leave',
    cancel: 'Stay',
    onConfirm: leave,
  });
}
