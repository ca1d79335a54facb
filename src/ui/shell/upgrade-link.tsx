import { upgrade } from '../../domain/links.ts';

/** Beside what the Free edition refuses, and where it says what it lacks. */
export const Upgrade = ({ children = 'Upgrade for more' }: { children?: string }) => (
  <a href={upgrade} target="_blank" rel="noreferrer">
    {children}
  </a>
);
