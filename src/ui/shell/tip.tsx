import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { hiddenNotices, hideNotice } from '../../client/notices.ts';
import { failures } from '../../domain/messages.ts';
import { anonymous } from '../../domain/user.ts';
import { useBridge, useUser } from './services/services.ts';
import './shell.css';

interface Props {
  /** The key of the stored hidden state; unique among tips. */
  name: string;
  children: ReactNode;
}

/** A tip that each user can hide for good, on all devices. */
export function Tip({ name, children }: Props) {
  const bridge = useBridge();
  const client = useQueryClient();
  const { id } = useUser();
  const text = useId();
  const queryKey = ['hidden notices', id];
  const { data: hidden, isError } = useQuery({
    queryKey,
    queryFn: () => hiddenNotices(bridge, id),
    // There is no storage for an anonymous user.
    enabled: id !== anonymous.id,
    meta: { silent: true },
  });
  const hide = useMutation({
    mutationFn: () => hideNotice(bridge, id, name),
    // Sequential: each write contains all names.
    scope: { id: 'hide notices' },
    onMutate: () => client.setQueryData<ReadonlySet<string>>(queryKey, before => new Set([...(before ?? []), name])),
    onError: () => void client.invalidateQueries({ queryKey }),
    meta: { failure: failures.unknown },
  });
  const known = hidden !== undefined || isError || id === anonymous.id;
  if (!known || hidden?.has(name)) return null;
  return (
    <div className="tip" role="note" aria-labelledby={text}>
      <p id={text}>{children}</p>
      {hidden ? (
        <button type="button" aria-describedby={text} onClick={() => hide.mutate()}>
          Don’t show again
        </button>
      ) : null}
    </div>
  );
}
