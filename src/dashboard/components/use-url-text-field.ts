import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';

/**
 * Returns a query parameter of the URL and its setter. The setter adds no history entry. Null or an empty text removes
 * the parameter.
 */
export function useUrlParameter(name: string): [string | null, (value: string | null) => void] {
  const value = new URLSearchParams(useSearch()).get(name);
  const [path, navigate] = useLocation();
  const set = (value: string | null) => {
    // Read the URL again: another parameter may have changed since the last render.
    const all = new URLSearchParams(window.location.search);
    if (value === null || value === '') all.delete(name);
    else all.set(name, value);
    navigate(`${path}${all.size > 0 ? `?${all}` : ''}`, { replace: true });
  };
  return [value, set];
}

/**
 * State of a text field. When typing pauses, the text is stored in the URL, so that it is still there after a reload.
 */
export function useUrlTextField(name: string) {
  const [urlValue, setUrlValue] = useUrlParameter(name);
  return { committed: urlValue, ...useDebouncedTextField(urlValue ?? '', setUrlValue) };
}

/**
 * State of a text field that calls `onCommit` 300 ms after the last change. If `committed` changes, the field shows the
 * new value.
 */
export function useDebouncedTextField(committed: string, onCommit: (text: string) => void) {
  const [value, setValue] = useState(committed);
  const lastCommitted = useRef(committed);
  const commit = (text: string) => {
    lastCommitted.current = text;
    onCommit(text);
  };
  const commitDebounced = useDebouncedCallback((text: string) => commit(text.trim()), 300);
  useEffect(() => {
    if (committed === lastCommitted.current) return;
    lastCommitted.current = committed;
    commitDebounced.cancel();
    setValue(committed);
  }, [committed, commitDebounced]);
  return {
    field: {
      value,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
        setValue(event.currentTarget.value);
        commitDebounced(event.currentTarget.value);
      },
    },
    clear: () => {
      commitDebounced.cancel();
      setValue('');
      commit('');
    },
  };
}
