import type { Tx } from '../../../src/server/store/tables.ts';
import { putTemplate as put, type Template } from '../../../src/server/templates/templates.ts';
import { itemCount } from '../../../src/server/text-workers/reading.ts';

/** Stores a template with the number of its items. */
export const putTemplate = (tx: Tx, tenant: string, account: string, template: Template): Promise<void> =>
  put(tx, tenant, account, { ...template, items: itemCount(template.text) });
