import { type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  type Command,
  closeHoverTooltips,
  EditorView,
  showTooltip,
  type Tooltip,
  type TooltipView,
} from '@codemirror/view';
import { button, element } from '../element.ts';
import { applyFix, fixesAt, type QuickFix } from './fixes.ts';

interface Menu {
  at: number;
  offers: readonly QuickFix[];
}

const setMenu = StateEffect.define<Menu | undefined>();

const tooltipOf = ({ at, offers }: Menu): Tooltip => ({
  pos: at,
  create: view => menuView(view, offers),
});

/** The open menu. Any change of the text closes it. */
const menuField = StateField.define<Tooltip | undefined>({
  create: () => undefined,
  update: (menu, { docChanged, effects }) => {
    for (const effect of effects) if (effect.is(setMenu)) return effect.value && tooltipOf(effect.value);
    return docChanged ? undefined : menu;
  },
  provide: field => showTooltip.compute([field], state => state.field(field) ?? null),
});

/** The place in a menu to which a key leads; `undefined` for other keys. */
function reached(key: string, current: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % count;
    case 'ArrowUp':
      return (current + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
  }
  return undefined;
}

function menuView(view: EditorView, offers: readonly QuickFix[]): TooltipView {
  const dom = element('div', 'cm-check-fixes');
  dom.setAttribute('role', 'menu');
  dom.setAttribute('aria-label', 'Fixes');
  const close = () => view.dispatch({ effects: setMenu.of(undefined) });
  const items = offers.map(offer => {
    const item = button('cm-check-fix', offer.fix.title, () => {
      close();
      applyFix(view, offer);
    });
    item.tabIndex = -1;
    item.setAttribute('role', 'menuitem');
    return item;
  });
  dom.append(...items);
  dom.addEventListener('keydown', event => {
    // Keys in the menu do not reach the text, nor Escape the dialog around it.
    event.stopPropagation();
    const to = reached(event.key, items.indexOf(document.activeElement as HTMLButtonElement), items.length);
    if (to !== undefined) items[to]?.focus();
    else if (event.key !== 'Escape' && event.key !== 'Tab') return;
    event.preventDefault();
    if (to !== undefined) return;
    view.focus();
  });
  dom.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && dom.contains(relatedTarget)) return;
    // The view must not be updated while it removes the menu.
    queueMicrotask(() => {
      close();
      if (document.activeElement === document.body) view.focus();
    });
  });
  return { dom, mount: () => items[0]?.focus({ preventScroll: true }) };
}

/** Applies the only fix at the cursor, or opens a menu of several. */
export const fixProblem: Command = view => {
  if (view.state.readOnly) return false;
  const offers = fixesAt(view.state);
  const [first, ...more] = offers;
  if (!first) view.dispatch({ effects: EditorView.announce.of('Nothing to fix here.') });
  else if (more.length === 0) applyFix(view, first);
  else view.dispatch({ effects: [closeHoverTooltips, setMenu.of({ at: first.from, offers })] });
  return true;
};

export const fixMenu: Extension = menuField;
