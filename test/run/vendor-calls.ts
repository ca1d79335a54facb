import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Served } from '../../src/tracker/rest/observe.ts';

/**
 * With `VENDOR_OPENAPI`, the path of the vendor's OpenAPI document, every call of the REST API that a test makes at the
 * local tracker is recorded. `validate-calls.ts` compares them with the document.
 */
export const vendorDocument = process.env.VENDOR_OPENAPI;

/** Folder of the recorded calls, a file for each process, a call in each line. */
export const callsFolder = join(import.meta.dirname, '../artifacts/calls');

/** A recorded call. */
export interface RecordedCall {
  method: string;
  /** Path and query. */
  url: string;
  request?: unknown;
  status: number;
  answer: string;
  by: 'addon' | 'people';
}

let isFirst = true;

/** Records a call, for a tracker's `onServed`. */
export function recordCall({ method, url, body, status, answer, by }: Served): void {
  if (vendorDocument === undefined) return;
  if (isFirst) mkdirSync(callsFolder, { recursive: true });
  isFirst = false;
  const call: RecordedCall = { method, url, status, answer, by, ...(body !== undefined && { request: body }) };
  appendFileSync(join(callsFolder, `${process.pid}.jsonl`), `${JSON.stringify(call)}\n`);
}
