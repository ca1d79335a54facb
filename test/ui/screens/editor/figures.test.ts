import { expect, test } from 'vitest';
import { MARK_ROOM } from '../../../../src/domain/constants.ts';
import { encodedSize } from '../../../../src/domain/storage.ts';
import { readChecklist } from '../../../../src/text/read.ts';
import { figuresOf } from '../../../../src/ui/screens/editor/status-bar.tsx';

test('a checklist that was never stored counts the size that the server will need for it', () => {
  const checklist = readChecklist('- a "quoted" one\n+ b');
  const progress = { total: 2, checked: 1, percent: 50, mandatoryOpen: 0 };
  const stored = { v: 1, epoch: crypto.randomUUID(), seq: 1, name: 'Checklists', text: checklist.text, progress };
  expect(figuresOf(checklist, '', 0, 'Checklists').size).toBe(encodedSize(stored) + MARK_ROOM);
  expect(figuresOf(checklist, stored.epoch, 0, 'Checklists').size).toBe(encodedSize(stored) + MARK_ROOM);
});
