import * as v from 'valibot';
import { parseAs } from '../../../../domain/shape.ts';
import type { ForgeModule, ModulePlace } from '../../../wire/modules.ts';
import type { About } from '../../data/queries.ts';
import { dialogs, type ForgeDialog } from '../dialogs.ts';

/** The vendor's names of sizes, by ours. */
const sizes = {
  small: 'small',
  medium: 'medium',
  large: 'large',
  xlarge: 'xlarge',
  max: 'maximum',
  fullscreen: 'fullscreen',
} as const;

const modalShape = v.object({
  resource: v.nullable(v.string()),
  size: v.union([
    v.picklist(['small', 'medium', 'large', 'xlarge', 'max', 'fullscreen']),
    v.object({ width: v.string(), height: v.optional(v.string()) }),
  ]),
  context: v.unknown(),
  closeOnEscape: v.boolean(),
  onClose: v.custom<(payload?: unknown) => unknown>(value => typeof value === 'function'),
});

/** Handles `Modal.open`. Returns `false` if there is no such page: the app has one resource only. */
export function openDialog(
  payload: unknown,
  { module, place, about }: { module: ForgeModule; place: ModulePlace; about: About },
): boolean {
  const { resource, size, context, closeOnEscape, onClose } = parseAs(modalShape, payload);
  if (resource !== null && !new URL(module.url).pathname.startsWith(`/${resource}/`)) return false;
  const closings = new Set<() => unknown>();
  const close = (...answer: [] | [unknown]) => {
    for (const closing of closings) void closing();
    void onClose(...answer);
  };
  const custom = typeof size === 'string' ? undefined : size;
  const opened: ForgeDialog = {
    framework: 'forge',
    id: crypto.randomUUID(),
    size: typeof size === 'string' ? sizes[size] : undefined,
    width: custom?.width,
    height: custom?.height,
    ...{ closeOnEscape, about, module, place, context },
    opener: document.activeElement,
    dismissed: () => close(),
    closed: answer => close(answer),
    onClosing: listener => void closings.add(listener),
  };
  dialogs.update(open => [...open, opened]);
  return true;
}

/** Handles `view.close` of a page in a dialog. Returns whether that was still open. */
export function closeDialogOf(dialog: ForgeDialog, payload: unknown): boolean {
  if (!dialogs.get().includes(dialog)) return false;
  dialogs.update(open => open.filter(each => each !== dialog));
  dialog.closed(payload);
  return true;
}
