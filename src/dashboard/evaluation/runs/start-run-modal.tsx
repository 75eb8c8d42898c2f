import { Checkbox, Modal, NumberInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ModalForm } from '../../components/modal-form.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { evaluationPaths } from '../evaluation-paths.ts';
import { judgeQuery, startEvaluationMutation } from './run-operations.ts';

interface ModalProps {
  readonly setId: string;
  readonly onClose: () => void;
}

/** The form that starts a run. Then the page of the run opens. */
export function StartRunModal({ opened, ...props }: ModalProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Start a run">
      <StartRunForm {...props} />
    </Modal>
  );
}

function StartRunForm({ setId, onClose }: ModalProps) {
  const { id: projectId } = useProject();
  const [, navigate] = useLocation();
  const start = useNotifyingMutation(startEvaluationMutation, 'The run was not started');
  const { data } = useFreshQuery(judgeQuery, { projectId });
  const hasModel = data?.project?.installedLanguageModel != null;
  const [judgeByModel, setJudgeByModel] = useState(false);
  const [percent, setPercent] = useState<number | null>(null);
  const [embeddingModel, setEmbeddingModel] = useState('');
  const submit = async () => {
    const candidate = {
      ...(percent !== null && { answerThreshold: percent / 100 }),
      ...(embeddingModel.trim() !== '' && { embeddingModel: embeddingModel.trim() }),
    };
    const started = await start.run({ setId, candidate, judgeByModel });
    if (started === null) return;
    onClose();
    navigate(evaluationPaths(projectId).run(started.startEvaluation.id));
  };
  return (
    <ModalForm onSubmit={submit} submitLabel="Start" saving={start} onCancel={onClose}>
      <Text size="sm">
        The run asks all questions of the set. Each uses one of the plan's evaluated questions, and
        no message. The run stores no conversations.
      </Text>
      <NumberInput
        label="Try another confidence threshold"
        description="In percent. Empty: the threshold of the project."
        min={0}
        max={100}
        suffix=" %"
        allowDecimal={false}
        clampBehavior="strict"
        data-autofocus
        value={percent ?? ''}
        onChange={(entered) => setPercent(typeof entered === 'number' ? entered : null)}
      />
      <TextInput
        label="Try another embedding model"
        description="Built-in model or a model of the model server. The run first embeds all chunks, at most 20,000. Empty: the active model."
        maxLength={255}
        value={embeddingModel}
        onChange={(event) => setEmbeddingModel(event.currentTarget.value)}
      />
      <Checkbox
        label="Judge with the language model, too"
        description={
          hasModel || data === undefined
            ? 'It reads each answer with the cited passages. One further call per answer.'
            : 'This installation has no language model.'
        }
        disabled={!hasModel}
        checked={judgeByModel}
        onChange={(event) => setJudgeByModel(event.currentTarget.checked)}
      />
    </ModalForm>
  );
}
