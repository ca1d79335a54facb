import { cleanup, render, screen } from '@testing-library/react';
import { Message } from '../../src/ui/kit/message.tsx';

/* The kit's message comes in a chunk of its own, at whatever a test looks then. So it comes first. */
render(<Message appearance="error">It is here.</Message>);
await screen.findByText('It is here.');
cleanup();
