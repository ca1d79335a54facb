import { links } from '../../domain/links.ts';

/** Beside what the Free edition refuses. */
export const Upgrade = () => (
  <a href={links.enterprise} target="_blank" rel="noreferrer">
    Upgrade for more
  </a>
);
