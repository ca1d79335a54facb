import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type FaultKind, faultKinds } from '../../../src/tracker/faults/kinds.ts';
import { faultOf } from '../../../src/tracker/page/data/fault.ts';
import { faultShape } from '../../../src/tracker/wire/faults.ts';

const kinds: readonly FaultKind[] = Object.values(faultKinds);

/** The form's initial values. */
function untouched({ fault }: FaultKind): FormData {
  const pause = 'lateMs' in fault ? fault.lateMs : fault.delayMs;
  return filled({
    match: fault.match,
    percent: '100',
    times: '',
    seconds: fault.forMs === undefined ? '' : String(fault.forMs / 1000),
    ...(pause !== undefined && { pause: String(pause) }),
  });
}

function filled(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

test.each(kinds)('the form gives $name as it is, and the tracker takes it', kind => {
  const fault = faultOf(kind, untouched(kind));
  expect(fault).toEqual({ ...kind.fault, name: kind.name });
  expect(v.parse(faultShape, fault)).toEqual(fault);
});

test("the form's settings replace the kind's defaults", () => {
  const form = filled({ match: '^GET ', percent: '2.5', times: '3', seconds: '4', pause: '5' });
  const terms = { match: '^GET ', chance: 0.025, times: 3, forMs: 4000 };
  expect(faultOf(faultKinds.cutLate, form)).toMatchObject({ ...terms, cut: 'taken', lateMs: 5 });
  expect(faultOf(faultKinds.slow, form)).toMatchObject({ ...terms, delayMs: 5 });
  expect(faultOf(faultKinds.webhookLate, form)).toMatchObject({ ...terms, webhook: 'late', delayMs: 5 });
  expect(faultOf(faultKinds.offline, filled({ match: '.', percent: '100', seconds: '' }))).not.toHaveProperty('forMs');
});
