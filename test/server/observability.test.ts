import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { measureProcess } from '../../src/server/monitoring/metrics.ts';
import { createClocks } from '../../src/server/platform/clock.ts';
import { createQueue } from '../../src/server/queue/create.ts';
import { root } from '../run/built.ts';
import { startApp } from './support/app.ts';
import { onStore } from './support/stores.ts';

const folder = join(root, 'deploy/observability');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const rulesShape = v.object({
  groups: v.array(
    v.object({
      rules: v.array(
        v.object({
          alert: v.string(),
          expr: v.string(),
          annotations: v.object({ summary: v.string(), runbook: v.string() }),
        }),
      ),
    }),
  ),
});
const rules = v.parse(rulesShape, parse(read('alerts.yml'))).groups.flatMap(group => group.rules);

const dashboardShape = v.object({
  panels: v.array(v.object({ title: v.string(), targets: v.array(v.object({ expr: v.string() })) })),
});
const panels = v.parse(dashboardShape, JSON.parse(read('dashboard.json'))).panels;

const runbook = readFileSync(join(root, 'deploy/runbook.md'), 'utf8');
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  // Those that the runbook gives to operators.
  ...[...runbook.matchAll(/`(topk\(.*?\))`/g)].map(([, expr = '']) => expr),
];

/** Metrics that Prometheus makes. */
const ofPrometheus = ['up'];

/** The metrics of an expression, each with the labels that it is selected by. */
function selected(expression: string): { name: string; labels: string[] }[] {
  const plain = expression.replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ').replaceAll(/\[[^\]]*\]/g, ' ');
  return [...plain.matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()\s*(\{[^}]*\})?/g)].flatMap(([, name = '', labels = '']) =>
    ['and', 'or', 'unless', 'bool'].includes(name)
      ? []
      : [{ name, labels: [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label) }],
  );
}

onStore(use => {
  test('each metric that a rule or the dashboard names is one of /metrics, with the labels that it is selected by', async () => {
    const it = await startApp(use().store);
    onTestFinished(() => it.app.close());
    const { metrics } = it;
    measureProcess(metrics);
    createQueue({ store: use().store, metrics, onError: expect.unreachable });
    createClocks(metrics, { error: expect.unreachable, info: expect.unreachable });
    const { payload } = await it.app.inject({ url: '/metrics' });
    const served = new Set(
      [...payload.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map(end => name + end) : [name],
      ),
    );
    const names = expressions.flatMap(selected);
    expect(names.length).toBeGreaterThan(20);
    const unknown = names.filter(({ name }) => !served.has(name) && !ofPrometheus.includes(name));
    expect(unknown).toEqual([]);
    for (const { name, labels } of names) {
      const metric = metrics.registry.getSingleMetric(name.replace(/_(bucket|sum|count)$/, ''));
      const known: unknown = metric && Reflect.get(metric, 'labelNames');
      if (Array.isArray(known)) expect(known, name).toEqual(expect.arrayContaining(labels));
    }
  });
});

test('each alert has its first steps in the runbook, and the runbook no others', () => {
  const headings = [...runbook.matchAll(/^## (\S+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`deploy/runbook.md#${alert.toLowerCase()}`);
});

const promtool = process.env.PROMTOOL || 'promtool';
const isMissing = spawnSync(promtool, ['--version']).error !== undefined;

test.skipIf(isMissing)(
  'promtool accepts the rules, and each alert fires when it should (PROMTOOL or promtool in PATH)',
  () => {
    const run = (...args: string[]) => execFileSync(promtool, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    expect(run('check', 'rules', 'alerts.yml')).toContain(`${rules.length} rules found`);
    expect(run('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
    const tested = read('alerts.test.yml');
    for (const { alert } of rules) expect(tested).toContain(`alertname: ${alert}\n        exp_alerts`);
  },
);
