import { Box, Button, Loader } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';

const ReplyDocument = lazy(async () => ({
  default: (await import('../unanswered/reply-document.tsx')).ReplyDocument,
}));

/** A button that creates a document from the reply of an agent. The document answers the end user's question. */
export function DocumentFromReply({
  question,
  reply,
}: {
  /** The end user's message that the agent replied to. */
  readonly question: { readonly id: string; readonly content: string };
  readonly reply: string;
}) {
  const [isWriting, writing] = useDisclosure(false);
  const [isUsed, setUsed] = useState(false);
  const write = () => {
    setUsed(true);
    writing.open();
  };
  return (
    <Box mt={4}>
      <Button variant="subtle" size="compact-xs" onClick={write}>
        Make this answer a document
      </Button>
      {isUsed && (
        <Suspense fallback={<Loader size="xs" aria-label="Loading" />}>
          <ReplyDocument
            question={question}
            reply={reply}
            isWriting={isWriting}
            onClose={writing.close}
          />
        </Suspense>
      )}
    </Box>
  );
}
