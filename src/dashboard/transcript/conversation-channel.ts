export const channelLabels = {
  WIDGET: 'Widget',
  REST: 'REST API',
  OPENAI: 'OpenAI API',
  MCP: 'MCP',
  GRAPHQL: 'GraphQL',
  PLAYGROUND: 'Playground',
} as const;

/** Returns the name of the interface that a conversation was started through. Older ones have none stored. */
export function channelLabelOf(channel: keyof typeof channelLabels | null): string {
  return channel === null ? 'Unknown channel' : channelLabels[channel];
}
