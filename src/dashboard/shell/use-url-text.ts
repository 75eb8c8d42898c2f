import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';

/** A parameter of the page's address, set without a new entry in the history; null or an empty text takes it away. */
export function useUrlParameter(name: string): [string | null, (value: string | null) => void] {
  const value = new URLSearchParams(useSearch()).get(name);
  const [path, navigate] = useLocation();
  const set = (value: string | null) => {
    // As it is now: another parameter may just have been set.
    const all = new URLSearchParams(window.location.search);
    if (value === null || value === '') all.delete(name);
    else all.set(name, value);
    navigate(`${path}${all.size > 0 ? `?${all}` : ''}`, { replace: true });
  };
  return [value, set];
}

/** A text field whose text stands in the address, from where it survives a reload, once one has stopped typing. */
export function useUrlText(name: string) {
  const [inUrl, setInUrl] = useUrlParameter(name);
  return { settled: inUrl, ...useSettledText(inUrl ?? '', setInUrl) };
}

/** A text field whose text is settled once one has stopped typing. What is settled elsewhere it takes over. */
export function useSettledText(settled: string, onSettle: (text: string) => void) {
  const [value, setValue] = useState(settled);
  const known = useRef(settled);
  const settle = (text: string) => {
    known.current = text;
    onSettle(text);
  };
  const settleSoon = useDebouncedCallback((text: string) => settle(text.trim()), 300);
  useEffect(() => {
    if (settled === known.current) return;
    known.current = settled;
    settleSoon.cancel();
    setValue(settled);
  }, [settled, settleSoon]);
  return {
    field: {
      value,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
        setValue(event.currentTarget.value);
        settleSoon(event.currentTarget.value);
      },
    },
    clear: () => {
      settleSoon.cancel();
      setValue('');
      settle('');
    },
  };
}
