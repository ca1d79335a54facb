import Button from '@atlaskit/button/new';
import { useEffect, useId, useRef, useState } from 'react';
import { secrets } from '../../domain/messages.ts';
import { copyText } from '../kit/copy-and-download.ts';
import { Field } from '../kit/form/form.tsx';
import { useUnsaved } from './navigation/navigation.ts';

interface Props {
  /** The kind of secret, within a sentence: “token”. */
  what: string;
  /** The accessible name of the region: “Token Build server”. */
  label: string;
  value: string;
  onDone(): void;
}

/** A secret that has just been made: shown once, to copy. Until it is copied or done with, leaving asks first. */
export function NewSecret({ what, label, value, onDone }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState('');
  const [isCopied, setIsCopied] = useState(false);
  useUnsaved(!isCopied);
  useEffect(() => field.current?.focus(), []);
  const copy = async () => {
    const copied = await copyText(value);
    if (copied) setIsCopied(true);
    else field.current?.select();
    setNote(copied ? secrets.copied : secrets.notCopied);
  };
  return (
    <section className="form form-boxed" aria-label={label}>
      <Field id={id} label={label} error={undefined} hint={secrets.copyNow}>
        <input
          ref={field}
          id={id}
          className="form-input form-secret"
          type="text"
          readOnly
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          value={value}
          onFocus={event => event.target.select()}
          onCopy={() => setIsCopied(true)}
        />
      </Field>
      <div className="form-buttons">
        <Button appearance="primary" onClick={() => void copy()}>
          {`Copy ${what}`}
        </Button>
        <Button onClick={onDone}>Done</Button>
        <span role="status">{note}</span>
      </div>
    </section>
  );
}
