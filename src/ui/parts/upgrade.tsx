import { upgrade } from '../../domain/editions.ts';

/** Beside what the Free edition refuses. */
export const Upgrade = () => (
  <a href={upgrade} target="_blank" rel="noreferrer">
    Upgrade for more
  </a>
);
