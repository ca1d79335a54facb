import type { FaultKind } from '../../faults/kinds.ts';
import type { Fault } from '../../wire/faults.ts';

/** The fault of a kind with the form's settings. */
export function faultOf({ name, fault }: FaultKind, form: FormData): Fault {
  const text = (field: string) => String(form.get(field) ?? '');
  const terms = {
    name,
    match: text('match'),
    ...(text('percent') !== '100' && { chance: Number(text('percent')) / 100 }),
    ...(text('times') && { times: Number(text('times')) }),
  };
  const { forMs: _, ...rest } = fault;
  const ends = text('seconds') ? { forMs: Number(text('seconds')) * 1000 } : {};
  const pause = Number(text('pause'));
  return {
    ...rest,
    ...terms,
    ...ends,
    ...('lateMs' in rest && { lateMs: pause }),
    ...(rest.delayMs !== undefined && { delayMs: pause }),
  };
}
