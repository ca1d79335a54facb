import Button from '@atlaskit/button/new';
import { issuePath } from '../../domain/pages.ts';
import { PlainPage } from '../kit/plain-page.tsx';
import { useBridge, useHostContext } from './services/services.ts';

/** An address that is none of ours. The way back is the issue that the frame is about, else the tracker's start. */
export default function NotFound() {
  const bridge = useBridge();
  const { surface, issueKey } = useHostContext();
  const back =
    surface === 'dialog' ? () => bridge.closeDialog() : () => bridge.navigate(issueKey ? issuePath(issueKey) : '/');
  return (
    <PlainPage title="Page not found">
      There is nothing at this address.
      <Button onClick={back}>{surface === 'dialog' ? 'Close' : `Back to ${issueKey ?? 'the tracker'}`}</Button>
    </PlainPage>
  );
}
