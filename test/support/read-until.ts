/** Reads a stream until its text holds `wanted`, and gives that text; rejects when it ends without. */
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
