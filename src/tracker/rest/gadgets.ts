import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import type { Gadget } from '../site/model.ts';
import { RestError } from './errors.ts';

/** A gadget on the caller's own dashboard. */
export function ownGadget({ site }: Context, caller: Caller, id: string): Gadget {
  const gadget = site.gadgets.get(id);
  if (!gadget || caller.kind !== 'person' || gadget.owner !== caller.person.accountId) {
    throw new RestError(404, 'The dashboard item was not found.');
  }
  return gadget;
}
