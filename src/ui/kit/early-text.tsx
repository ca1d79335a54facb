import { useLayoutEffect, useRef } from 'react';
import { HeldField } from './held-field.tsx';

/** What was typed for the field of a popup before its code was there, while that takes the place of `EarlyText`. */
let early = '';

interface Props {
  label: string;
  onEscape(): void;
}

/** Has the keys while a popup with a field is loading: the fallback in its place. The field takes them by `takeEarlyText`. */
export function EarlyText(props: Props) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const field = box.current?.querySelector('textarea');
    return () => {
      early = field?.value ?? '';
      // Closed instead: the next popup does not get it.
      queueMicrotask(() => {
        early = '';
      });
    };
  }, []);
  return (
    <span ref={box}>
      <HeldField {...props} className="check-hidden" />
    </span>
  );
}

/** Types into a plain input, as a key does. */
export function typeInto(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Focuses a popup's field, and types what was typed before it was there. To be called in a layout effect: no key is lost. */
export function takeEarlyText(field: HTMLInputElement | null): void {
  field?.focus();
  const text = early;
  early = '';
  if (field && text !== '') typeInto(field, text);
}
