import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../domain/build/build.ts';
import { buildSettings } from '../domain/build/settings.ts';
import { editionOf } from '../domain/edition.ts';
import { type ManifestValues, type Region, regions } from './manifest.ts';

/** A call of `npm run manifest` with invalid arguments. */
export class BadArgument extends Error {
  override readonly name = 'BadArgument';
}

export const usage = `Usage: npm run manifest -- [options]
  --edition pro|free     default: EDITION, else pro
  --past connect|none    connect: the app takes over the Connect add-on of the same key; default: none
  --app-id ID            of \`forge register\`: a UUID, or the ARI that ends in it; default: FORGE_APP_ID
  --remote URL           the server's public address, https and without a path; default: BASE_URL
  --regions LIST         servers that keep the data of a region: EU=https://…,US=https://…; default: FORGE_REGIONS
  --licensing on|off     on: sold on the Marketplace, cannot be installed by a link; default: on with a Connect past
  --out FILE             default: manifest.yml
Keys end in _development unless DEVELOPMENT=false, as in a build.`;

const root = join(import.meta.dirname, '../..');

/** Placeholder for a missing app id: it validates and is not in use. */
const PLACEHOLDER_APP_ID = '11111111-2222-4333-8444-555555555555';
const PLACEHOLDER_REMOTE = 'https://checklist-dev.example.com';

function oneOf<Value extends string>(name: string, argument: string, values: readonly Value[]): Value {
  const allowedValue = values.find(value => value === argument);
  if (allowedValue === undefined) throw new BadArgument(`--${name} is ${values.join(' or ')}, not ${argument}.`);
  return allowedValue;
}

function appIdOf(argument: string): string {
  const appId = /^(?:ari:cloud:ecosystem::app\/)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(argument)?.[1];
  if (appId === undefined) throw new BadArgument(`The app id is a UUID or an ARI of an app, not ${argument}.`);
  return appId;
}

function remoteOf(argument: string): string {
  const url = URL.canParse(argument) ? new URL(argument) : undefined;
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`) {
    throw new BadArgument(`The server's address is https without a path, not ${argument}.`);
  }
  return url.origin;
}

/** Servers by region; `undefined` for none. */
function regionsOf(argument: string): ManifestValues['regions'] {
  if (argument === '') return undefined;
  const isRegion = (name: string): name is Region => regions.some(region => region === name);
  const addressByRegion: Partial<Record<Region, string>> = {};
  for (const entry of argument.split(',')) {
    const [region = '', address = ''] = entry.split(/=(.*)/s);
    if (!isRegion(region)) throw new BadArgument(`A region is one of ${regions.join(', ')}, not ${region}.`);
    addressByRegion[region] = remoteOf(address);
  }
  return addressByRegion;
}

/**
 * The output's path and values: options, then the environment's variables, then defaults; an empty variable counts as
 * unset. Throws `BadArgument`, and `BadBuildSetting` for the variables of a build.
 */
export function manifestArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): { values: ManifestValues; out: string } {
  const option = { type: 'string' } as const;
  let argumentValues: Partial<
    Record<'edition' | 'past' | 'app-id' | 'remote' | 'regions' | 'licensing' | 'out', string>
  >;
  try {
    const options = {
      edition: option,
      past: option,
      'app-id': option,
      remote: option,
      regions: option,
      licensing: option,
      out: option,
    };
    argumentValues = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new BadArgument(error instanceof Error ? error.message : String(error));
  }
  const past = oneOf('past', argumentValues.past ?? 'none', ['connect', 'none']);
  const edition =
    argumentValues.edition === undefined ? undefined : oneOf('edition', argumentValues.edition, ['pro', 'free']);
  const names = editionOf(buildSettings(env, build.version, edition));
  const ofRegions = regionsOf(argumentValues.regions ?? env.FORGE_REGIONS ?? '');
  const out = resolve(root, argumentValues.out ?? 'manifest.yml');
  const built = join(root, names.id === 'free' ? 'dist/free/forge' : 'dist/forge');
  return {
    out,
    values: {
      names,
      past,
      appId: appIdOf(argumentValues['app-id'] ?? (env.FORGE_APP_ID || PLACEHOLDER_APP_ID)),
      remote: remoteOf(argumentValues.remote ?? (env.BASE_URL || PLACEHOLDER_REMOTE)),
      ...(ofRegions && { regions: ofRegions }),
      pages: relative(dirname(out), built).split(sep).join('/'),
      licensed:
        oneOf('licensing', argumentValues.licensing ?? (past === 'connect' ? 'on' : 'off'), ['on', 'off']) === 'on',
    },
  };
}
