import type { Page } from 'playwright-core';
import type { restClient } from '../api/rest-client.ts';
import { eventually } from './browser.ts';

export const itemOf = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`${name} wants a person`) });
export const conversationOn = (page: Page) => page.getByRole('region', { name: 'Conversation' });
export const messagesOn = (page: Page) => page.getByRole('log', { name: 'Transcript' });
/** Waits until the transcript shows every reply as stored. */
export const allSent = (page: Page) =>
  eventually(() =>
    messagesOn(page)
      .getByText(/^(sending…|sent)$/)
      .count(),
  ).toBe(0);
export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

/** Returns end users who ask questions and request handoffs with the REST API. */
export function endUsers(rest: ReturnType<typeof restClient>) {
  const ask = async (message: string, conversationId?: string): Promise<string> => {
    const response = await rest.post('/chat', { message, conversationId });
    return (await response.json()).conversationId;
  };
  return {
    ask,
    /** Requests a handoff for `conversationId`, or for a new conversation if it is omitted. */
    async requestHandoff(name: string, conversationId?: string): Promise<string> {
      const id = conversationId ?? (await ask(`${name} would like to know more`));
      await rest.post('/handoff', {
        conversationId: id,
        name,
        reason: `${name} wants a person`,
      });
      return id;
    },
  };
}
