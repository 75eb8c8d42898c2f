export const channelLabels = {
  WIDGET: 'Widget',
  REST: 'REST API',
  OPENAI: 'OpenAI API',
  MCP: 'MCP',
  GRAPHQL: 'GraphQL',
  PLAYGROUND: 'Playground',
} as const;

/**
 * Returns the name of the interface through which a conversation was started. Older conversations store no interface.
 */
export function channelLabelOf(channel: keyof typeof channelLabels | null): string {
  return channel === null ? 'Unknown channel' : channelLabels[channel];
}
