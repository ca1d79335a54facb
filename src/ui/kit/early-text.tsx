import { type ComponentType, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { HeldField } from './held-field.tsx';

/** Text typed for a popup's field before its code was there, while another component replaces an `EarlyText`. */
let early = '';

interface Props {
  label: string;
  onEscape(): void;
}

/**
 * Has the keys while a popup with a field is loading: in the place of whatever is loading, one after the other. The field
 * takes what was typed by `useFirstFocus`.
 */
export function EarlyText(props: Props) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const field = box.current?.querySelector('textarea');
    if (!field) return undefined;
    // Of the one before. Before the paint: no key is lost.
    field.value = early;
    early = '';
    field.focus();
    return () => {
      early = field.value;
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

/** Gives a lazy popup a boundary that has the keys for the popup's field; without a label it has none. */
export function withEarlyText<Popup extends { onClose(withFocus: boolean): void }>(
  Part: ComponentType<Popup>,
  labelOf: (props: Popup) => string | undefined,
): ComponentType<Popup> {
  return props => {
    const label = labelOf(props);
    const fallback = label === undefined ? null : <EarlyText label={label} onEscape={() => props.onClose(true)} />;
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** How text is typed into fields that are no plain inputs. */
const editors = new WeakMap<Element, (text: string) => void>();

/** Has `typeInto` type into an editor's element by a function of the editor. */
export const typesWith = (element: Element, type: (text: string) => void): unknown => editors.set(element, type);

/** Types into a field, as a key does; an empty text types nothing. Returns whether the element is a field. */
export function typeInto(element: Element | null, text: string): boolean {
  const type = element && editors.get(element);
  if (type) {
    if (text !== '') type(text);
    return true;
  }
  const isInput = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  // Checkboxes have no selection.
  if (!isInput || element.selectionStart === null) return false;
  if (text === '') return true;
  element.setRangeText(text, element.selectionStart, element.selectionEnd ?? element.selectionStart, 'end');
  element.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}

/** Focuses an element of a popup from the start; a field gets what was typed before it was there. */
export function useFirstFocus(find: () => HTMLElement | null | undefined): void {
  const first = useEffectEvent(find);
  // Before the paint: no key is lost.
  useLayoutEffect(() => {
    const element = first();
    element?.focus();
    typeInto(element ?? null, early);
    early = '';
  }, []);
  // And after the menu that opened the popup is unmounted: it traps the focus.
  useEffect(() => first()?.focus(), []);
}
