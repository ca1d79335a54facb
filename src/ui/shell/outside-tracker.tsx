import { PlainPage } from '../kit/plain-page.tsx';

/** What a page of ours shows when it was opened on its own. */
export default function Outside() {
  return (
    <PlainPage title="This page belongs inside the tracker">
      Open it from an issue or from the settings there.
    </PlainPage>
  );
}
