import Button from '@atlaskit/button/new';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { removeSiteData } from '../../../client/admin/settings.ts';
import { MutationRefused, ServerError } from '../../../client/errors.ts';
import { failures } from '../../../domain/messages.ts';
import { download } from '../../kit/copy-and-download.ts';
import { FormButtons, Section, TextInput } from '../../kit/form/form.tsx';
import { useBridge, useGraphql, useSessionStore } from '../../shell/services/services.ts';

/** Exports all stored data of a site, or deletes it. */
export function DataSection() {
  const bridge = useBridge();
  const session = useSessionStore();
  const exported = useMutation({
    mutationFn: async () => {
      const headers = { authorization: `JWT ${await session.token()}` };
      const { status, text } = await bridge.backend('/api/export', { headers });
      if (status !== 200) throw new ServerError(status, failures.unknown);
      return text;
    },
    onSuccess: text => download('smart-checklist.ndjson', 'application/x-ndjson', text),
    meta: { failure: failures.unknown },
  });
  const [asking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAsking(false);
    opener.current?.focus();
  };
  return (
    <Section title="Data">
      <p className="settings-note">
        Checklists are stored with their issues. The app keeps their history, templates, rules, statuses and settings.
      </p>
      <div className="form-buttons">
        <Button isLoading={exported.isPending} onClick={() => exported.mutate()}>
          Export all data
        </Button>
        <Button ref={opener} onClick={() => setAsking(true)}>
          Remove all data…
        </Button>
      </div>
      {asking ? <RemoveData onClose={close} /> : null}
    </Section>
  );
}

function RemoveData({ onClose }: { onClose(): void }) {
  const graphql = useGraphql();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const remove = useMutation({
    mutationFn: () => graphql.mutate(removeSiteData, { confirm: typed.trim() }, data => data.removeSiteData),
    onSuccess: () => {
      void client.invalidateQueries();
      onClose();
    },
    onError: error => setRefusal(error instanceof MutationRefused ? error.message : failures.unknown),
    meta: { success: 'All data of this site has been removed.', failure: failures.unknown },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!remove.isPending) remove.mutate();
  };
  return (
    <form
      className="form settings-danger"
      aria-label="Remove all data"
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <p>
        This permanently deletes the history, templates, rules, statuses and settings of this site. Checklists stay with
        their issues.
      </p>
      <TextInput
        label="Type the site’s address to confirm"
        value={typed}
        error={refusal}
        autoFocus
        onChange={now => {
          setTyped(now);
          setRefusal(undefined);
        }}
      />
      <FormButtons save="Remove all data" appearance="danger" busy={remove.isPending} onCancel={onClose} />
    </form>
  );
}
