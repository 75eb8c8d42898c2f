import { useCallback, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { type AnswerPreview, previewAnswerQuery } from '../chat/answer-preview.ts';
import { modelOptions } from '../graphql/fetch-with-timeout.ts';
import { useProject } from '../project/project.tsx';

interface PreviewState {
  readonly answer: AnswerPreview | null;
  readonly error: CombinedError | null;
  readonly isAsking: boolean;
}

const maxQuestionLength = 4_000;

/** Asks a question without a conversation. `ask` resolves to the answer, or to null after a failure. */
export function useAnswerPreview(question: string) {
  const client = useClient();
  const { id: projectId } = useProject();
  const [state, setState] = useState<PreviewState>({ answer: null, error: null, isAsking: false });
  const ask = useCallback(async (): Promise<AnswerPreview | null> => {
    setState({ answer: null, error: null, isAsking: true });
    const asked = question.slice(0, maxQuestionLength);
    const variables = { projectId, question: asked, hasTrace: false };
    const { data, error } = await client
      .query(previewAnswerQuery, variables, modelOptions)
      .toPromise();
    const answer = data?.previewAnswer ?? null;
    setState({ answer, error: error ?? null, isAsking: false });
    return answer;
  }, [client, projectId, question]);
  return { ...state, ask };
}
