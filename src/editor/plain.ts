import { Compartment, type Extension, type TransactionSpec } from '@codemirror/state';
import { chips } from './chips.ts';

const compartment = new Compartment();

/** Whether every character of the text shows as it is, or people, days and the like show as chips. */
export const plain = (on: boolean): Extension => compartment.of(on ? [] : chips);

/** Switches it in an open editor. */
export const setPlain = (on: boolean): TransactionSpec => ({ effects: compartment.reconfigure(on ? [] : chips) });
