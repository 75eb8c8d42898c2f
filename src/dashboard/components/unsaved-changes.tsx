import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { confirmAction } from './confirm-action.tsx';

/** The number of forms with unsaved changes. */
let dirtyFormCount = 0;
/** The URL of the page that contains the forms. */
let pageUrl = '';

/**
 * While `isDirty` is true, asks for confirmation before the operator leaves the page by a link, by the back button or
 * by closing the tab. If only the query or fragment of the URL changes, no confirmation is needed, because the form
 * stays open.
 */
export function useUnsavedChanges(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    dirtyFormCount += 1;
    pageUrl = location.href;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onBeforeUnload);
    return () => {
      dirtyFormCount -= 1;
      removeEventListener('beforeunload', onBeforeUnload);
    };
  }, [isDirty]);
}

let isLeaving = false;

// Registered when the module loads, which is before the router registers its listener. Browsers call listeners in the
// order of registration.
addEventListener('popstate', (event) => {
  if (dirtyFormCount === 0 || isLeaving) {
    isLeaving = false;
    return;
  }
  if (isSamePage(location.href)) {
    pageUrl = location.href;
    return;
  }
  event.stopImmediatePropagation();
  history.pushState(null, '', pageUrl);
  confirmLeave(() => {
    isLeaving = true;
    history.back();
  });
});

/** Router hook that asks for confirmation of every navigation by a link. */
export const confirmNavigation: AroundNavHandler = (navigate, to, options) => {
  if (dirtyFormCount > 0 && !isSamePage(to)) {
    confirmLeave(() => navigate(to, options));
    return;
  }
  navigate(to, options);
  pageUrl = location.href;
};

function isSamePage(to: string): boolean {
  return new URL(to, pageUrl).pathname === new URL(pageUrl).pathname;
}

function confirmLeave(leave: () => void): void {
  confirmAction({
    title: 'Leave without saving?',
    text: 'Unsaved text on this page is lost. So is a secret that you have not copied.',
    confirm: 'Leave',
    cancel: 'Stay',
    onConfirm: leave,
  });
}
