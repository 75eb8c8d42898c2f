import type { Api, Rating } from './api.ts';
import type { ChatItem } from './chat-state.ts';
import type { ChatStore } from './chat-store.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

/** What the visitor thinks of answers and of the agent. */
export interface Ratings {
  rate(item: ChatItem, rating: Rating): Promise<void>;
  /** @throws ApiError when the rating of the agent could not be stored. */
  rateHandoff(rating: number, comment: string): Promise<void>;
  /** Closes the satisfaction question in this browser. */
  dismissSatisfaction(): void;
}

export function createRatings(
  api: Pick<Api, 'rate' | 'rateHandoff'>,
  visit: VisitorStateStore,
  store: ChatStore,
): Ratings {
  const { change, changeItem } = store;
  return {
    async rate({ key, id, rating: before }, rating) {
      if (id === null) return;
      changeItem(key, { rating });
      await api.rate(id, rating).catch(() => changeItem(key, { rating: before }));
    },
    async rateHandoff(rating, comment) {
      const handoffId = store.state.satisfaction?.handoffId;
      if (handoffId === undefined) return;
      const satisfaction = await api.rateHandoff(handoffId, rating, comment);
      if (store.state.satisfaction?.handoffId === handoffId) change({ satisfaction });
    },
    dismissSatisfaction() {
      visit.update({ dismissedHandoffId: store.state.satisfaction?.handoffId ?? null });
      change({ satisfaction: null });
    },
  };
}
