/** Reads a stream until its text contains `wanted`. Returns the text. Rejects if the stream ends before. */
export async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(wanted)) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(`ended without ${wanted}: ${text}`);
    text += value;
  }
  reader?.releaseLock();
  return text;
}
