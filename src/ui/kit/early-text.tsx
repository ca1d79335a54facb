import { type ComponentType, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { HeldField } from './held-field.tsx';

/** Text typed for a popup's field before its code was there, until a field takes it or its popup closes. */
let early = '';
/** How many popups are open whose field may take the text. */
let openPopups = 0;

/** The next popup does not get the text of a closed one. */
const dropIfClosed = () =>
  queueMicrotask(() => {
    if (openPopups === 0) early = '';
  });

/** Keeps what was typed early while the popup is open, also if its code fails to load and the user has it loaded again. */
function useEarlyText(): void {
  useLayoutEffect(() => {
    openPopups += 1;
    return () => {
      openPopups -= 1;
      dropIfClosed();
    };
  }, []);
}

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
      dropIfClosed();
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
  return function Popup(props) {
    useEarlyText();
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
