import { useLocalStorage } from '@mantine/hooks';

/** A setting of this browser that is on or off. */
export function useSwitchSetting(
  key: string,
  defaultValue: boolean,
): [boolean, (isOn: boolean) => void] {
  const options = { key, defaultValue, getInitialValueInEffect: false };
  const [stored, store] = useLocalStorage(options);
  return [typeof stored === 'boolean' ? stored : defaultValue, store];
}
