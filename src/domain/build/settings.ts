import type { EditionId } from '../edition.ts';
import type { BuildSettings } from './build.ts';

/** An environment variable of a build is invalid. */
export class BadBuildSetting extends Error {
  override readonly name = 'BadBuildSetting';
}

type Environment = Readonly<Record<string, string | undefined>>;

const oneOf = <Value extends string>(env: Environment, name: string, values: readonly [Value, ...Value[]]): Value => {
  const setting = env[name] || values[0];
  const allowedValue = values.find(value => value === setting);
  if (allowedValue === undefined) throw new BadBuildSetting(`${name} is ${values.join(' or ')}, not ${setting}.`);
  return allowedValue;
};

function limit(env: Environment, name: string): number | undefined {
  const setting = env[name];
  if (!setting) return undefined;
  if (!/^\d{1,9}$/.test(setting)) throw new BadBuildSetting(`${name} is a whole number, not ${setting}.`);
  return Number(setting);
}

/**
 * Reads a build's environment: `EDITION=free|pro`, `DEVELOPMENT=false` for production, and `FREE_*` for limits of the
 * Free edition. An empty variable counts as unset. Throws `BadBuildSetting`.
 */
export function buildSettings(env: Environment, version: string, edition?: EditionId): BuildSettings {
  const limits = {
    globalTemplates: limit(env, 'FREE_GLOBAL_TEMPLATES'),
    projectTemplates: limit(env, 'FREE_PROJECT_TEMPLATES'),
    itemsPerChecklist: limit(env, 'FREE_ITEMS_PER_CHECKLIST'),
  };
  return {
    edition: edition ?? oneOf(env, 'EDITION', ['pro', 'free']),
    version,
    platform: 'cloud',
    development: oneOf(env, 'DEVELOPMENT', ['true', 'false']) === 'true',
    limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
  };
}
