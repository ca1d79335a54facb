import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useTitle } from '../app/title.ts';
import { sendWebRequest } from '../data/changes.ts';
import { Labelled } from '../parts/labelled.tsx';
import { Message } from '../parts/message.tsx';

const EXAMPLE = '{"action":"addItems","issue":"10000","text":"- From a rule"}';

/** Sends a web request to an app, as the action of a real site's automation does. */
export function AutomationScreen() {
  useTitle('Automation');
  const send = useMutation({ mutationFn: sendWebRequest });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name));
    send.mutate({
      address: text('address'),
      secret: text('secret'),
      signed: form.get('signed') === 'on',
      body: text('body'),
    });
  };
  return (
    <div className="page">
      <h1>Automation</h1>
      <p className="subtle">
        Send a web request to an app, as the “Send web request” action of a rule does. To receive webhooks, as the
        “Incoming webhook” trigger does, use the receiver in the outbox.
      </p>
      <form className="card padded form" aria-label="Web request" onSubmit={submit}>
        <Labelled label="Address">
          <input name="address" className="code" required spellCheck={false} />
        </Labelled>
        <Labelled label="Secret">
          <input name="secret" className="code" required spellCheck={false} autoComplete="off" />
        </Labelled>
        <Labelled label="Body">
          <textarea name="body" className="code" rows={4} defaultValue={EXAMPLE} required spellCheck={false} />
        </Labelled>
        <label className="automation-check">
          <input name="signed" type="checkbox" /> Sign the body instead of sending the secret
        </label>
        <div className="buttons">
          <button type="submit" className="button" data-primary disabled={send.isPending}>
            Send request
          </button>
        </div>
      </form>
      {send.error ? (
        <Message kind="error" title="We couldn't send the request.">
          {send.error.message}
        </Message>
      ) : null}
      {send.data ? (
        <section className="card padded" aria-label="Answer">
          <h2>{`Answered ${send.data.status}`}</h2>
          <pre className="automation-answer">{send.data.body}</pre>
        </section>
      ) : null}
    </div>
  );
}
