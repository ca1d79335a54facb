import { upgrade } from '../../domain/links.ts';

/** A link to the paid edition, next to limits of the Free edition. */
export const Upgrade = ({ children = 'Upgrade for more' }: { children?: string }) => (
  <a href={upgrade} target="_blank" rel="noreferrer">
    {children}
  </a>
);
