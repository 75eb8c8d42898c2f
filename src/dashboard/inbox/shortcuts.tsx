import { Kbd, Modal, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { useSwitchSetting } from '../components/use-switch-setting.ts';

/** Attributes that mark the elements that a shortcut clicks or focuses. */
export const shortcutTargets = {
  row: { 'data-shortcut': 'row' },
  claim: { 'data-shortcut': 'claim' },
  reply: { 'data-shortcut': 'reply' },
  note: { 'data-shortcut': 'note' },
  transfer: { 'data-shortcut': 'transfer' },
  resolve: { 'data-shortcut': 'resolve' },
} as const;

/** Whether shortcuts are on in this browser. Users of speech input need to switch them off. */
export const useShortcutSetting = () => useSwitchSetting('grounded-chat shortcuts', true);

const shortcuts: Readonly<Record<string, { readonly label: string; run?(): void }>> = {
  j: { label: 'Next conversation', run: () => openRow(1) },
  k: { label: 'Previous conversation', run: () => openRow(-1) },
  c: { label: 'Claim', run: () => use('claim') },
  r: { label: 'Reply', run: () => use('reply') },
  n: { label: 'Internal note', run: () => use('note') },
  t: { label: 'Transfer or assign', run: () => use('transfer') },
  e: { label: 'Resolve', run: () => use('resolve') },
  Escape: { label: 'Leave the field' },
  '?': { label: 'Show the shortcuts' },
};

function find(target: keyof typeof shortcutTargets): HTMLElement[] {
  const elements = document.querySelectorAll<HTMLElement>(`[data-shortcut="${target}"]`);
  return [...elements].filter((element) => element.checkVisibility());
}

/** Clicks a button, or gives the focus to a field. */
function use(target: keyof typeof shortcutTargets): void {
  const [element] = find(target);
  element?.focus();
  if (!(element instanceof HTMLTextAreaElement)) element?.click();
}

/** Opens the row before or after the open row. If no row is open, opens the first row. */
function openRow(step: 1 | -1): void {
  const rows = find('row');
  const open = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const row = open < 0 ? rows[0] : rows[open + step];
  row?.click();
  row?.focus();
}

/** Handles the shortcuts of the inbox. The key `?` shows the list of shortcuts. */
export function Shortcuts() {
  const [isEnabled] = useShortcutSetting();
  const [isSheetOpen, sheet] = useDisclosure(false);
  const { open } = sheet;
  useEffect(() => {
    if (!isEnabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = shortcuts[event.key];
      if (shortcut === undefined || isForOthers(event)) return;
      if (event.key === '?') open();
      else if (shortcut.run === undefined) return;
      else shortcut.run();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isEnabled, open]);
  return (
    <Modal opened={isSheetOpen} onClose={sheet.close} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {Object.entries(shortcuts).map(([key, { label }]) => (
            <Table.Tr key={key}>
              <Table.Td w={60}>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

/** Returns whether the browser, a field or a dialog must handle the key instead. */
function isForOthers({
  ctrlKey,
  metaKey,
  altKey,
  isComposing,
  repeat,
  target,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing || repeat) return true;
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true;
  return target instanceof HTMLElement && target.closest(fields) !== null;
}

const fields = 'input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]';
