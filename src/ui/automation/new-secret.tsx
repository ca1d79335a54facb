import Button from '@atlaskit/button/new';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../kit/copy-and-download.ts';

interface Props {
  /** The webhook's name. */
  name: string;
  value: string;
  onClose(): void;
}

/** A new secret: shown once, to copy. */
export function NewSecret({ name, value, onClose }: Props) {
  const [copied, setCopied] = useState<boolean | undefined>(undefined);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} className="automation-secret" aria-label={`Secret of ${name}`} tabIndex={-1}>
      <p>
        The secret of “<span dir="auto">{name}</span>”. Copy it now: it is not shown again.
      </p>
      <code>{value}</code>
      <div className="form-buttons">
        <Button onClick={() => void copyText(value).then(setCopied)}>Copy secret</Button>
        <Button appearance="subtle" onClick={onClose}>
          Done
        </Button>
        <span role="status">
          {copied === undefined ? '' : copied ? 'Copied.' : "We couldn't copy it. Select it, and copy it yourself."}
        </span>
      </div>
    </section>
  );
}
