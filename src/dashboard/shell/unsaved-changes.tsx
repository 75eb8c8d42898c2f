import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';

/** How many forms hold what is not saved. */
let forms = 0;

/** While `isDirty`, nothing leads away from the form without a question: no link, no way back, no closing of the tab. */
export function useUnsavedChanges(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    forms += 1;
    const address = location.href;
    const keepTab = (event: BeforeUnloadEvent) => event.preventDefault();
    const keepPage = (event: PopStateEvent) => {
      event.stopImmediatePropagation();
      history.pushState(null, '', address);
      askToLeave(() => {
        removeEventListener('popstate', keepPage, true);
        history.back();
      });
    };
    addEventListener('beforeunload', keepTab);
    addEventListener('popstate', keepPage, true);
    return () => {
      forms -= 1;
      removeEventListener('beforeunload', keepTab);
      removeEventListener('popstate', keepPage, true);
    };
  }, [isDirty]);
}

/** For the router, which leads every link through it. */
export const askWhileUnsaved: AroundNavHandler = (navigate, to, options) => {
  if (forms === 0) navigate(to, options);
  else askToLeave(() => navigate(to, options));
};

function askToLeave(leave: () => void): void {
  modals.openConfirmModal({
    title: 'Leave without saving?',
    children: <Text size="sm">What you have changed on this page is not saved yet.</Text>,
    labels: { confirm: 'Leave', cancel: 'Stay' },
    confirmProps: { color: 'red' },
    onConfirm: leave,
  });
}
