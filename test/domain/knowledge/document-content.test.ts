import { expect, test } from 'vitest';
import { withTextContent } from '../../../src/domain/knowledge/document-content.ts';

const mimeTypeOfText = (name: string, content: string) =>
  withTextContent({ name, content }, async ({ mimeType }) => mimeType);

test('the name of a text says whether it is Markdown, whatever it contains', async () => {
  for (const content of ['# Pool', 'Files start with %PDF-1.7', 'PK\u0003\u0004']) {
    expect(await mimeTypeOfText('notes.MD', content)).toBe('text/markdown');
    for (const name of ['notes', 'notes.txt', 'notes.pdf', 'a.md.csv']) {
      expect(await mimeTypeOfText(name, content)).toBe('text/plain');
    }
  }
});
