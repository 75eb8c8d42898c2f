/** The event types that an endpoint can receive. */
export const eventTypeDescriptions = {
  'human.requested': 'An end user asks for an agent',
  'handoff.updated': 'An end user adds an e-mail address, a name or a reason',
  'handoff.claimed': 'An agent claims a handoff or receives one by transfer',
  'handoff.resolved': 'A handoff is resolved',
  'handoff.rated': 'An end user rates an agent, or changes the rating',
  'message.created': 'An agent replies',
  'document.ready': 'A document is ready for search',
  'document.failed': 'A document could not be processed',
  'source.synced': 'A source was read',
  'document.updated': 'The content or the details of a document changed',
  'evaluation.regressed': 'A scheduled run of a question set is outside its bounds, or failed',
  'budget.warning': 'A project has used a share of its monthly budget',
} as const;

export const allEventTypes: readonly string[] = Object.keys(eventTypeDescriptions);

export function formatEventTypes(types: readonly string[]): string {
  return allEventTypes.every((type) => types.includes(type)) ? 'all events' : types.join(', ');
}
