/** A change of the owner of a conversation. A null agent means that nobody owns it. */
interface OwnerChange {
  readonly type:
    | 'CLAIMED'
    | 'TAKEN_OVER'
    | 'ASSIGNED'
    | 'TRANSFERRED'
    | 'RELEASED'
    | 'RESOLVED'
    | 'RETURNED';
  readonly actor: string;
  readonly previousAgent: string | null;
  readonly agent: string | null;
  /** Whether the conversation was resolved before the agent took it over. */
  readonly isReopening: boolean;
}

/**
 * Returns the text of an event. In the text, "you" means `operator`, who reads it. `nameOfAgent` returns the name of
 * another agent.
 */
export function describeEvent(
  event: OwnerChange,
  operator: string | null,
  nameOfAgent: (agent: string) => string,
): string {
  const { type, actor, previousAgent, agent, isReopening } = event;
  const nameOf = (name: string | null) =>
    name === operator ? 'you' : name === null ? 'nobody' : nameOfAgent(name);
  const subject = actor === operator ? 'You' : nameOfAgent(actor);
  switch (type) {
    case 'CLAIMED':
      return `${subject} claimed the conversation`;
    case 'TAKEN_OVER':
      if (isReopening) return `${subject} reopened the conversation`;
      return previousAgent === null
        ? `${subject} took over the conversation`
        : `${subject} took over from ${nameOf(previousAgent)}`;
    case 'ASSIGNED':
      return `${subject} assigned the conversation to ${nameOf(agent)}`;
    case 'TRANSFERRED': {
      const from = previousAgent === actor ? '' : ` from ${nameOf(previousAgent)}`;
      return `${subject} transferred the conversation${from} to ${nameOf(agent)}`;
    }
    case 'RELEASED':
      return `${subject} put the conversation back to waiting`;
    case 'RESOLVED':
      return `${subject} resolved the conversation`;
    case 'RETURNED':
      return `${subject} returned the conversation to the assistant`;
  }
}
