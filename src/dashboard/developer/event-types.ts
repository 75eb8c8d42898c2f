/** What an endpoint can be told of, in words. */
export const eventTypes = {
  'human.requested': 'Somebody asks for a person',
  'handoff.claimed': 'Somebody of the team takes over',
  'handoff.resolved': 'A handoff is resolved',
  'message.created': 'A person of the team has replied',
  'document.ready': 'A document can be searched',
  'document.failed': 'A document could not be read',
} as const;

export const allEventTypes: readonly string[] = Object.keys(eventTypes);

export function sayEventTypes(types: readonly string[]): string {
  return allEventTypes.every((type) => types.includes(type)) ? 'all events' : types.join(', ');
}
