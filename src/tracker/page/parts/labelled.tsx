import type { ReactNode } from 'react';

/** A field of a form below its label. */
export const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
  <label className="labelled">
    <span>{label}</span>
    {children}
  </label>
);
