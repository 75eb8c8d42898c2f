import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** Keeps the menu where a page cannot be shown, be it for a fault of ours or for a script that did not come. */
export class PageBoundary extends Component<{ readonly children: ReactNode }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          title="This page cannot be shown"
          text="Something went wrong in your browser, or on the way to it. What you have saved is safe."
        >
          <Button onClick={() => location.reload()}>Load it again</Button>
        </EmptyState>
      </div>
    );
  }
}
