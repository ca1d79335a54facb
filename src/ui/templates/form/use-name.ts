import { useState } from 'react';
import { MutationRefused } from '../../../client/errors.ts';
import { fieldErrors, validateName } from '../../../domain/fields.ts';

export interface NameInput {
  value: string;
  /** What is wrong with it, as far as that is to be said now. */
  error: string | undefined;
  change(value: string): void;
  /** Says what is wrong with it, if something is; answers whether it can be sent. */
  check(): boolean;
  /** Takes a refusal that is about the name. */
  refused(error: unknown): void;
}

/** A name that somebody types: what is wrong with it is said as they type, that it is missing when they send it. */
export function useName(initial: string): NameInput {
  const [value, setValue] = useState(initial);
  const [checked, setChecked] = useState(false);
  /** What the server said, of which value. */
  const [refusal, setRefusal] = useState<{ value: string; message: string } | undefined>(undefined);
  const code = validateName(value);
  const told = code !== undefined && (checked || value !== initial);
  const error = told ? fieldErrors[code] : refusal?.value === value ? refusal.message : undefined;
  return {
    value,
    error,
    change: setValue,
    check: () => {
      setChecked(true);
      return code === undefined;
    },
    refused: reason => {
      if (reason instanceof MutationRefused && reason.field === 'name') setRefusal({ value, message: reason.message });
    },
  };
}
