import { useEffect, useEffectEvent, useState } from 'react';

/** The value as it was when it last stayed the same for the delay in milliseconds. */
export function useDebounced<Value>(value: Value, delay: number): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}

/**
 * The text of a search field, and the function that sets it. The search itself is reported after the delay without a
 * key, in milliseconds; its changes from elsewhere show in the field.
 */
export function useSearchField(search: string, delay: number, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(search);
  const [known, setKnown] = useState(search);
  if (known !== search) {
    setKnown(search);
    setTyped(search);
  }
  const report = useEffectEvent((text: string) => {
    // Before `onSearch`: keys typed before the new search is rendered are kept.
    setKnown(text);
    onSearch(text);
  });
  useEffect(() => {
    if (typed === search) return undefined;
    const timer = setTimeout(() => report(typed), delay);
    return () => clearTimeout(timer);
  }, [typed, search, delay]);
  return [typed, setTyped] as const;
}
