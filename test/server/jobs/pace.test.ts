import { expect, test } from 'vitest';
import { createPace } from '../../../src/server/jobs/pace.ts';

test('ten calls a second in any pattern; unused time does not accumulate', async () => {
  let now = 0;
  const pace = createPace(
    async delay => {
      now += delay;
    },
    () => now,
  );
  await pace(1);
  expect(now).toBe(0);
  for (let call = 0; call < 10; call += 1) await pace(1);
  expect(now).toBe(1_000);
  await pace(5);
  await pace(1);
  expect(now).toBe(1_600);
  now = 60_000;
  await pace(1);
  expect(now).toBe(60_000);
  await pace(1);
  expect(now).toBe(60_100);
});
