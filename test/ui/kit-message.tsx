import { cleanup, render, waitFor } from '@testing-library/react';
import { Message } from '../../src/ui/parts/message.tsx';

/* The kit's message takes the place of the plain one when its chunk comes, at whatever a test looks then. So it comes first. */
render(<Message appearance="error">It is here.</Message>);
await waitFor(() => {
  if (document.querySelector('.message')) throw new Error('The message is still the plain one.');
});
cleanup();
