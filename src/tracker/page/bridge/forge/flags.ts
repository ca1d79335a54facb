import * as v from 'valibot';
import { parseAs } from '../../../../domain/shape.ts';
import { flags, kindOf } from '../flags.ts';

const flagShape = v.object({
  id: v.union([v.string(), v.number()]),
  title: v.optional(v.string(), ''),
  description: v.optional(v.string(), ''),
  type: v.string(),
  isAutoDismiss: v.optional(v.boolean(), false),
  actions: v.optional(
    v.array(v.object({ text: v.string(), onClick: v.custom<() => unknown>(value => typeof value === 'function') })),
    [],
  ),
});
const closeShape = v.object({ id: v.union([v.string(), v.number()]) });

/** Handles `showFlag`. A flag of the same id is replaced. */
export function showFlag(payload: unknown): boolean {
  const { id, title, description, type, isAutoDismiss, actions } = parseAs(flagShape, payload);
  const name = String(id);
  const without = () => flags.get().filter(flag => flag.id !== name);
  flags.update(() => [
    ...without(),
    {
      id: name,
      title,
      body: description,
      kind: kindOf(type),
      fleeting: isAutoDismiss,
      actions: actions.map(({ text, onClick }) => ({ label: text, run: () => void onClick() })),
      close: () => flags.update(without),
    },
  ]);
  return true;
}

/** The close function of `showFlag`. */
export function closeFlag(payload: unknown): boolean {
  const { id } = parseAs(closeShape, payload);
  const shownFlag = flags.get().find(flag => flag.id === String(id));
  shownFlag?.close();
  return shownFlag !== undefined;
}
