import { builder } from './builder.ts';

builder.scalarType('JSON', {
  description: 'Any JSON value; only in answers.',
  serialize: value => value,
});

builder.queryFields(t => ({
  featureFlags: t.field({
    type: 'JSON',
    description: 'What is switched on, by name.',
    resolve: (_root, _args, { featureFlags }) => featureFlags,
  }),
}));
