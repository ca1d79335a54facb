import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as v from 'valibot';

/** The vendor's own validator of manifests, as `forge lint` runs it before it asks the network. */

const require = createRequire(import.meta.url);
const vendor: typeof import('@forge/manifest') = require('@forge/manifest');
const inside = dirname(require.resolve('@forge/manifest/schema.json'));

const tableShape = v.object({
  mapping: v.array(
    v.object({ productEvent: v.string(), oAuthScopes: v.looseObject({ current: v.array(v.string()) }) }),
  ),
});
const table = v.parse(
  tableShape,
  JSON.parse(readFileSync(join(inside, '../mapping/product-event-to-scope-mapping.json'), 'utf8')),
);

/** The events of the tracker's products that can be subscribed to. */
export const productEvents: ReadonlySet<string> = new Set(table.mapping.map(({ productEvent }) => productEvent));

const { FULL } = vendor.ValidationTypes;

/** Errors and warnings about the manifest in a file, beside which its resources stand. Takes seconds the first time. */
export async function problemsOf(file: string): Promise<string[]> {
  const full = await vendor.ProcessorBuilder.instance().withValidation(FULL).build().process(file);
  // What PRODUCT_TRIGGER adds to FULL; as a processor of its own it would compile the large schema a second time.
  const triggers = await new vendor.ProductTriggerScopesValidator(table).validate(full.manifestObject);
  return [...(full.errors ?? []), ...(triggers.errors ?? [])].map(({ level, message }) => `${level}: ${message}`);
}
