import { ActionIcon, Popover, Stack, Switch } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { otherThanEnter, useSendKey } from '../components/send-key.ts';
import { playSound, useSoundSetting } from '../live-inbox/notification-sound.ts';
import { useShortcutSetting } from './shortcuts.tsx';
import { useSuggestionSetting } from './use-reply-suggestion.ts';
import { useTypingSetting } from './use-typing-signal.ts';

/** Settings of the inbox that apply to this browser only. */
export function InboxSettings() {
  const [sendKey, setSendKey] = useSendKey();
  const [isSoundOn, setSoundOn] = useSoundSetting();
  const [hasSuggestions, setHasSuggestions] = useSuggestionSetting();
  const [signalsTyping, setSignalsTyping] = useTypingSetting();
  const [hasShortcuts, setHasShortcuts] = useShortcutSetting();
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size="lg" aria-label="Settings of this browser">
          <IconSettings size={18} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        <Stack gap="sm">
          <Switch
            label="Sound"
            description="For new requests, and new messages in your conversations"
            checked={isSoundOn}
            onChange={(event) => {
              setSoundOn(event.currentTarget.checked);
              if (event.currentTarget.checked) playSound();
            }}
          />
          <Switch
            label={`Send replies with ${otherThanEnter}`}
            description="Enter starts a new line"
            checked={sendKey === 'modified'}
            onChange={(event) => setSendKey(event.currentTarget.checked ? 'modified' : 'enter')}
          />
          <Switch
            label="Suggest replies"
            description="From the documents, when the end user writes in the open conversation"
            checked={hasSuggestions}
            onChange={(event) => setHasSuggestions(event.currentTarget.checked)}
          />
          <Switch
            label="Show when I type"
            description="To the end user and to the team, without the text"
            checked={signalsTyping}
            onChange={(event) => setSignalsTyping(event.currentTarget.checked)}
          />
          <Switch
            label="Keyboard shortcuts"
            description="Press ? to show them"
            checked={hasShortcuts}
            onChange={(event) => setHasShortcuts(event.currentTarget.checked)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
