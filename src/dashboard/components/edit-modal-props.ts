import type { Saving } from '../project/use-notifying-mutation.ts';

/** Properties of a dialog that creates or changes an item. */
export interface EditModalProps<Values> {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The values to change. Null for a new item. */
  readonly initial: Values | null;
  readonly saving: Saving;
  /**
   * Saves the values. Resolves to true if that succeeded. Must pass error messages to `handleError`, which returns
   * whether the form shows them next to its fields.
   */
  readonly onSave: (
    values: Values,
    handleError: (messages: readonly string[]) => boolean,
  ) => Promise<boolean>;
}
