import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { QuotaLimit } from '../../wire/quota.ts';
import { limitQuota } from '../data/changes.ts';
import { Labelled } from './labelled.tsx';
import { Message } from './message.tsx';

/** The real tracker's quota of an app's first tier. */
const usual: QuotaLimit = { points: 65_000, seconds: 3_600, beta: false };

/** Form of the apps' quota, filled with the current limit, else the usual one. */
export function QuotaForm({ limit }: { limit: QuotaLimit | null }) {
  const set = useMutation({ mutationFn: limitQuota });
  const { points, seconds, beta } = limit ?? usual;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    set.mutate({
      limit: { points: Number(form.get('points')), seconds: Number(form.get('seconds')), beta: form.has('beta') },
    });
  };
  return (
    <form className="card padded form" aria-label="Limit" onSubmit={submit}>
      <Labelled label="Points of each app">
        <input name="points" type="number" min={1} defaultValue={points} required />
      </Labelled>
      <Labelled label="Seconds until points reset">
        <input name="seconds" type="number" min={1} max={604_800} defaultValue={seconds} required />
      </Labelled>
      <label className="switch">
        <input name="beta" type="checkbox" defaultChecked={beta} />
        Only announce the limit, in Beta- headers
      </label>
      <div className="buttons">
        {/* Neither button is ever disabled or removed: the focus stays. */}
        <button type="submit" className="button" data-primary>
          Set limit
        </button>
        <button type="button" className="button" onClick={() => set.mutate({ limit: null })}>
          Remove limit
        </button>
      </div>
      {set.error ? (
        <Message kind="error" title="We couldn't set the limit.">
          {set.error.message}
        </Message>
      ) : null}
    </form>
  );
}
