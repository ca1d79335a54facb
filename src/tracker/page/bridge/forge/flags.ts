import * as z from 'zod/mini';
import { flags, kindOf } from '../flags.ts';

const flagShape = z.object({
  id: z.union([z.string(), z.number()]),
  title: z._default(z.string(), ''),
  description: z._default(z.string(), ''),
  type: z.string(),
  isAutoDismiss: z._default(z.boolean(), false),
  actions: z._default(
    z.array(z.object({ text: z.string(), onClick: z.custom<() => unknown>(value => typeof value === 'function') })),
    [],
  ),
});
const closeShape = z.object({ id: z.union([z.string(), z.number()]) });

/** Handles `showFlag`. A flag of the same id is replaced. */
export function showFlag(payload: unknown): boolean {
  const { id, title, description, type, isAutoDismiss, actions } = flagShape.parse(payload);
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
  const { id } = closeShape.parse(payload);
  const found = flags.get().find(flag => flag.id === String(id));
  found?.close();
  return found !== undefined;
}
