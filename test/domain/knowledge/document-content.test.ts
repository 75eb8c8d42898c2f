import { expect, test } from 'vitest';
import { textContent } from '../../../src/domain/knowledge/document-content.ts';

const mimeTypeOfText = (name: string, content: string) => textContent({ name, content }).mimeType;

test('the name of a text says whether it is Markdown, whatever it contains', () => {
  for (const content of ['# Pool', 'Files start with %PDF-1.7', 'PK\u0003\u0004']) {
    expect(mimeTypeOfText('notes.MD', content)).toBe('text/markdown');
    for (const name of ['notes', 'notes.txt', 'notes.pdf', 'a.md.csv']) {
      expect(mimeTypeOfText(name, content)).toBe('text/plain');
    }
  }
});
