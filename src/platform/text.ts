import { stringify } from 'yaml';
import { type ManifestValues, manifest } from './manifest.ts';

const HEAD = '# Made from src/platform by `npm run manifest`; deploy/forge.md says how. Changes belong there.\n';

/** A manifest as `manifest.yml` holds it. */
export const manifestText = (values: ManifestValues): string =>
  HEAD + stringify(manifest(values), { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true });
