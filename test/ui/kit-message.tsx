import { cleanup, render, screen } from '@testing-library/react';
import { Message } from '../../src/ui/kit/message.tsx';

/* Preloads the chunk of the kit's message, so that its arrival changes no element during a test. */
render(<Message appearance="error">It is here.</Message>);
await screen.findByText('It is here.');
cleanup();
