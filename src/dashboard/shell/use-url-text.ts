import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
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
  const [value, setValue] = useState(inUrl ?? '');
  const settle = useDebouncedCallback((text: string) => setInUrl(text.trim()), 300);
  return {
    /** What is looked for. */
    settled: inUrl,
    field: {
      value,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
        setValue(event.currentTarget.value);
        settle(event.currentTarget.value);
      },
    },
    clear: () => {
      settle.cancel();
      setValue('');
      setInUrl(null);
    },
  };
}
