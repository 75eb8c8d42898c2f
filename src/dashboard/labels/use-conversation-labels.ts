import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import {
  addConversationLabelMutation,
  createLabelMutation,
  type Label,
  removeConversationLabelMutation,
} from './label-operations.ts';

/** Changes the labels of a conversation. */
export function useConversationLabels({
  conversationId,
  labels,
  onChange,
}: {
  readonly conversationId: string;
  readonly labels: readonly Label[];
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const create = useNotifyingMutation(createLabelMutation, 'The label was not created');
  const add = useNotifyingMutation(addConversationLabelMutation, 'The label was not added');
  const remove = useNotifyingMutation(removeConversationLabelMutation, 'The label was not removed');
  return {
    isRunning: create.isRunning || add.isRunning || remove.isRunning,
    async toggle(labelId: string) {
      const { run } = labels.some(({ id }) => id === labelId) ? remove : add;
      await run({ conversationId, labelId }).finally(onChange);
    },
    /** Creates a label and adds it to the conversation. */
    async create(name: string) {
      const created = await create.run({ projectId, name, color: null });
      if (created === null) return;
      const labelId = created.createLabel.id;
      await add.run({ conversationId, labelId }).finally(onChange);
    },
  };
}
