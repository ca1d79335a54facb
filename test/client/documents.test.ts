import { parse, validate } from 'graphql/index.js';
import { expect, test } from 'vitest';
import * as assignments from '../../src/client/admin/assignments.ts';
import { getGettingStarted } from '../../src/client/admin/getting-started.ts';
import * as statuses from '../../src/client/admin/managed-statuses.ts';
import * as settings from '../../src/client/admin/settings.ts';
import * as templateViews from '../../src/client/admin/template-views.ts';
import * as templates from '../../src/client/admin/templates.ts';
import { changeOperation, getChecklist } from '../../src/client/checklist-operations.ts';
import { getConvertedIssues, setFollowing } from '../../src/client/conversions.ts';
import * as history from '../../src/client/history.ts';
import * as editors from '../../src/client/live/editors.ts';
import { getStatuses } from '../../src/client/status-registry.ts';
import { getFeatureFlags } from '../../src/client/user.ts';
import { schema } from '../../src/server/http/graphql/schema.ts';

const all = [
  { getChecklist },
  { getFeatureFlags },
  editors,
  history,
  { clearChecklist: changeOperation('clearChecklist') },
  { getStatuses },
  { getConvertedIssues, setFollowing },
  assignments,
  settings,
  { getGettingStarted },
  statuses,
  templates,
  templateViews,
];

test.each(all.flatMap(part => Object.entries(part)))(
  'the schema knows everything that %s asks for',
  (name, operation) => {
    expect(validate(schema, parse(operation.source))).toEqual([]);
    expect(operation.name).toBe(name);
    expect(operation.source.startsWith(operation.kind)).toBe(true);
    const [definition] = parse(operation.source).definitions;
    const selected = definition && 'selectionSet' in definition ? definition.selectionSet?.selections[0] : undefined;
    expect(selected).toMatchObject({ kind: 'Field', name: { value: operation.field } });
  },
);
