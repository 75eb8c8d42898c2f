/** What the website says of its visitor, such as `{ plan: 'pro', seats: 12 }`. The service checks it. */
export interface Attributes {
  /** Returns null if there is nothing to send. */
  read(): object | null;
  set(attributes: object | null): void;
  /** Logs why the service has refused the attributes, and sends them no more. */
  refuse(messages: readonly string[]): void;
}

export function createAttributes(initial: object | null): Attributes {
  let current = initial;
  return {
    read: () => current,
    set(attributes) {
      current = attributes;
    },
    refuse(messages) {
      current = null;
      for (const message of messages) console.error(`grounded-chat: ${message}.`);
    },
  };
}

/** Reads `data-attributes`. Returns null if it is absent or not an object in JSON, and logs the latter. */
export function parseAttributes(json: string | undefined): object | null {
  if (json === undefined || json.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The same message as for other values.
  }
  console.error(
    'grounded-chat: data-attributes must be an object in JSON, such as {"plan":"pro","seats":12}.',
  );
  return null;
}
