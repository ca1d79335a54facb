import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { HostOutbox, OutboxNotification, OutboxWebhook } from '../../wire/outbox.ts';
import { useTitle } from '../app/title.ts';
import { clearOutbox, editOutbox } from '../data/changes.ts';
import { outboxQuery } from '../data/queries.ts';
import { Labelled } from '../parts/labelled.tsx';
import { Message } from '../parts/message.tsx';
import { Answered } from '../parts/state.tsx';

/** Notifications that apps sent instead of e-mails, and webhooks that this tracker's receiver got. */
export function OutboxScreen() {
  useTitle('Outbox');
  const outbox = useQuery(outboxQuery);
  return (
    <Answered answer={outbox} missing="This page does not exist.">
      {answer => (
        <div className="page">
          <h1>Outbox</h1>
          <p className="subtle">
            See what apps send: notifications, which a real site sends by email, and webhooks to the receiver at{' '}
            <code>{`${window.location.origin}/receiver`}</code>. A restart empties it.
          </p>
          <Receiver outbox={answer} />
          <Entries entries={answer.entries} />
        </div>
      )}
    </Answered>
  );
}

function Receiver({ outbox: { hasSecret, status } }: { outbox: HostOutbox }) {
  const edit = useMutation({ mutationFn: editOutbox });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    edit.mutate({ secret: String(form.get('secret')), status: Number(form.get('status')) });
  };
  return (
    <form className="card padded form" aria-label="Receiver" onSubmit={submit}>
      <Labelled label={hasSecret ? 'Secret (saved)' : 'Secret to check signatures with'}>
        <input name="secret" className="code" spellCheck={false} autoComplete="off" />
      </Labelled>
      <Labelled label="Status to answer with">
        <input name="status" type="number" min={200} max={599} defaultValue={status} required />
      </Labelled>
      <div className="buttons">
        <button type="submit" className="button" data-primary disabled={edit.isPending}>
          Save receiver
        </button>
      </div>
      {edit.error ? (
        <Message kind="error" title="We couldn't save the receiver.">
          {edit.error.message}
        </Message>
      ) : null}
    </form>
  );
}

function Entries({ entries }: Pick<HostOutbox, 'entries'>) {
  const clear = useMutation({ mutationFn: clearOutbox });
  return (
    <section className="card" aria-label="Sent by apps">
      <div className="card-head">
        <h2>Sent by apps</h2>
        {entries.length > 0 && (
          <button type="button" className="link-button card-action" onClick={() => clear.mutate()}>
            Remove all
          </button>
        )}
      </div>
      {entries.length === 0 ? (
        <p className="outbox-none subtle">Nothing sent yet.</p>
      ) : (
        <ul className="outbox">
          {entries.map(entry => (
            <li key={entry.id}>
              {entry.kind === 'notification' ? <Notification entry={entry} /> : <Webhook entry={entry} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const timeOf = (iso: string): string => `${iso.slice(11, 19)} UTC`;

const Notification = ({ entry: { time, to, withheld, subject, text, issue } }: { entry: OutboxNotification }) => (
  <article aria-label={`Notification of ${issue}`}>
    <h3>{subject}</h3>
    <p className="subtle">
      {timeOf(time)} · to {to.length > 0 ? to.join(', ') : 'no one'}
      {withheld.length > 0 ? ` · not sent to ${withheld.join(', ')} (no permission)` : ''}
    </p>
    <pre>{text}</pre>
  </article>
);

const signatures = {
  valid: { words: 'Signature valid', color: 'green' },
  wrong: { words: 'Signature invalid', color: 'red' },
  unchecked: { words: 'Signature not checked', color: 'grey' },
} as const;

const Webhook = ({ entry: { time, event, signature, token, body } }: { entry: OutboxWebhook }) => (
  <article aria-label={`Webhook ${event}`}>
    <h3>
      <code>{event}</code>{' '}
      <span className="lozenge" data-color={signatures[signature].color}>
        {signatures[signature].words}
      </span>
    </h3>
    <p className="subtle">
      {timeOf(time)}
      {token === '' ? '' : ' · with a token for automation'}
    </p>
    <pre>{body}</pre>
  </article>
);
