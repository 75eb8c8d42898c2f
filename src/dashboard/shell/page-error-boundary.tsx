import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { EmptyState } from '../components/empty-state.tsx';

/** If a page fails to render or its script fails to load, shows an error instead. The menu stays usable. */
export class PageErrorBoundary extends Component<{ readonly children: ReactNode }> {
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
          text="An error occurred in the browser or the network. Saved data is safe."
        >
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </EmptyState>
      </div>
    );
  }
}
