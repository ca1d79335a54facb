import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader, type LiveEvent } from '../../../src/client/live/events.ts';

const eventsIn = (pieces: readonly string[]) => {
  const events: LiveEvent[] = [];
  const read = createEventReader(event => events.push(event));
  for (const piece of pieces) read(piece);
  return events;
};

test('wherever the stream is cut, the same events are read', () => {
  const text = 'data: {"kind":"open"}\n\n: ping\n\ndata: {"kind":"checklist","issue":"1"}\n\n';
  const events = [{ kind: 'open' }, { kind: 'checklist', issue: '1' }];
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), cuts => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      expect(eventsIn(places.slice(1).map((to, index) => text.slice(places[index], to)))).toEqual(events);
    }),
  );
});

test('unknown events are skipped', () => {
  const strange = ['no event', 'data: {', 'data: null', 'data: {"kind":"checklist"}', 'data: {"kind":"new"}'];
  expect(eventsIn([...strange, 'data: {"kind":"settings"}'].map(part => `${part}\n\n`))).toEqual([
    { kind: 'settings' },
  ]);
});
