import Button from '@atlaskit/button/new';
import { useEffect, useId, useRef, useState } from 'react';
import { secrets } from '../../../domain/messages.ts';
import { copyText } from '../../kit/copy-and-download.ts';

interface Props {
  name: string;
  secret: string;
  onDone(): void;
}

/** The secret of a new token, which is shown once. */
export function NewSecret({ name, secret, onDone }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState('');
  useEffect(() => field.current?.focus(), []);
  const copy = async () => {
    const copied = await copyText(secret);
    if (!copied) field.current?.select();
    setNote(copied ? secrets.copied : secrets.notCopied);
  };
  return (
    <section className="form form-boxed" aria-label={`Token ${name}`}>
      <div className="form-field">
        <label className="form-label" htmlFor={id}>
          Token <span dir="auto">{name}</span>
        </label>
        <input
          ref={field}
          id={id}
          className="form-input api-tokens-secret"
          type="text"
          readOnly
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          value={secret}
          onFocus={event => event.target.select()}
        />
        <span id={`${id}-hint`} className="form-hint">
          {secrets.copyNow}
        </span>
      </div>
      <div className="form-buttons">
        <Button appearance="primary" onClick={() => void copy()}>
          Copy token
        </Button>
        <Button onClick={onDone}>Done</Button>
        <span role="status">{note}</span>
      </div>
    </section>
  );
}
