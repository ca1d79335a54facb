import Heading from '@atlaskit/heading';
import type { ReactNode } from 'react';

/** A screen with its title, and the sentence that says what it is when there is nothing else on it. */
export const PlainPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="notice">
    <Heading size="medium" as="h1">
      {title}
    </Heading>
    {children}
  </main>
);
