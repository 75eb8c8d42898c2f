/** An event of a server-sent event stream. */
export interface ServerSentEvent {
  /** Name of the event, or null if it has none. */
  readonly name: string | null;
  readonly data: string;
}

export interface EventStreamParser {
  /** Adds bytes to the input. Returns the events that are now complete. */
  push(bytes: Uint8Array): ServerSentEvent[];
  /**
   * Ends the input. If the last event has no blank line after it, returns this event, because some servers omit the
   * blank line.
   */
  flush(): ServerSentEvent[];
}

/** Creates a parser for server-sent events. It takes linear time, no matter how the bytes are split. */
export function createEventStreamParser(): EventStreamParser {
  const decoder = new TextDecoder();
  let line = '';
  let endedWithReturn = false;
  let name: string | null = null;
  let data: string[] = [];

  const readLine = (events: ServerSentEvent[]) => {
    const field = line;
    line = '';
    if (field.startsWith('data:')) data.push(fieldValue(field, 'data:'));
    else if (field.startsWith('event:')) name = fieldValue(field, 'event:');
    else if (field === '' && (name !== null || data.length > 0)) {
      events.push({ name, data: data.length === 1 ? (data[0] ?? '') : data.join('\n') });
      name = null;
      data = [];
    }
  };
  const readText = (text: string): ServerSentEvent[] => {
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      line += text.slice(start, end);
      readLine(events);
      start = end + 1;
    }
    line += text.slice(start);
    return events;
  };
  /** Replaces CR LF and CR with LF. A CR LF may be split between two chunks. */
  const normalizeLineEnds = (text: string): string => {
    if (text === '') return text;
    const rest = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    endedWithReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };
  return {
    push: (bytes) => readText(normalizeLineEnds(decoder.decode(bytes, { stream: true }))),
    flush: () => readText(`${normalizeLineEnds(decoder.decode())}\n\n`),
  };
}

function fieldValue(line: string, field: string): string {
  return line.slice(line.charAt(field.length) === ' ' ? field.length + 1 : field.length);
}
