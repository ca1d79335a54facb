import { stringify } from 'yaml';
import { type ManifestValues, manifest } from './manifest.ts';

const FILE_HEADER = '# Made from src/platform by `npm run manifest`; deploy/forge.md says how. Changes belong there.\n';

/** A manifest as `manifest.yml` holds it. */
export const manifestText = (values: ManifestValues): string =>
  FILE_HEADER + stringify(manifest(values), { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true });
