import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader, type LiveEvent } from '../../../src/client/live/events.ts';

const heardIn = (pieces: readonly string[]) => {
  const heard: LiveEvent[] = [];
  const read = createEventReader(event => heard.push(event));
  for (const piece of pieces) read(piece);
  return heard;
};

test('wherever the stream is cut, the same events are heard', () => {
  const text = 'data: {"kind":"open"}\n\n: ping\n\ndata: {"kind":"checklist","issue":"1"}\n\n';
  const events = [{ kind: 'open' }, { kind: 'checklist', issue: '1' }];
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), cuts => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      expect(heardIn(places.slice(1).map((to, index) => text.slice(places[index], to)))).toEqual(events);
    }),
  );
});

test('what is not understood is passed over', () => {
  const strange = ['no event', 'data: {', 'data: null', 'data: {"kind":"checklist"}', 'data: {"kind":"new"}'];
  expect(heardIn([...strange, 'data: {"kind":"settings"}'].map(part => `${part}\n\n`))).toEqual([{ kind: 'settings' }]);
});
