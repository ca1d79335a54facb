import type { EditionId } from '../edition.ts';
import type { BuildSettings } from './build.ts';

/** An environment variable of a build is invalid. */
export class BadBuildSetting extends Error {
  override readonly name = 'BadBuildSetting';
}

type Environment = Readonly<Record<string, string | undefined>>;

const oneOf = <Value extends string>(env: Environment, name: string, values: readonly [Value, ...Value[]]): Value => {
  const given = env[name] || values[0];
  const found = values.find(value => value === given);
  if (found === undefined) throw new BadBuildSetting(`${name} is ${values.join(' or ')}, not ${given}.`);
  return found;
};

function limit(env: Environment, name: string): number | undefined {
  const given = env[name];
  if (!given) return undefined;
  if (!/^\d{1,9}$/.test(given)) throw new BadBuildSetting(`${name} is a whole number, not ${given}.`);
  return Number(given);
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
