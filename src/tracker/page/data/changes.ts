import * as v from 'valibot';
import { FIELD_NAME, isYes, storageKey } from '../../../domain/storage.ts';
import type { Fault } from '../../wire/faults.ts';
import type { HostGadget } from '../../wire/gadgets.ts';
import {
  automationAnswerShape,
  type HostAutomation,
  type HostAutomationAnswer,
  type HostOutboxEdit,
} from '../../wire/outbox.ts';
import type { HostQuotaEdit } from '../../wire/quota.ts';
import { type HostState, stateShape } from '../../wire/site.ts';
import type { NewRule } from '../../wire/workflow.ts';
import { client, refreshIssue } from './client.ts';
import { getJson, getText, RequestFailed, sending } from './fetch.ts';
import { faultsQuery, outboxQuery, quotaQuery, stateQuery } from './queries.ts';

/** Switches the visitor's account. */
export async function switchUser(accountId: string): Promise<void> {
  const state: HostState = await getJson('/host/user', stateShape, sending('POST', { accountId }));
  client.setQueryData(stateQuery.queryKey, state);
}

const namesShape = v.object({ names: v.record(v.string(), v.string()) });

/** Writes the *Checklist Text* field like a user on the issue's screen. */
export async function saveChecklistText(issueKey: string, text: string): Promise<void> {
  const address = `/rest/api/2/issue/${encodeURIComponent(issueKey)}`;
  const { names } = await getJson(`${address}?expand=names`, namesShape);
  const field = Object.keys(names).find(id => names[id] === FIELD_NAME);
  if (!field) throw new RequestFailed(404, `This issue has no field called ${FIELD_NAME}.`);
  await getText(address, sending('PUT', { fields: { [field]: text } }));
  refreshIssue();
}

/** Transitions an issue to another status. */
export async function changeStatus(issueKey: string, transitionId: string): Promise<void> {
  const address = `/rest/api/3/issue/${encodeURIComponent(issueKey)}/transitions`;
  await getText(address, sending('POST', { transition: { id: transitionId } }));
  refreshIssue();
}

const rulesPath = (projectKey: string) => `/host/projects/${encodeURIComponent(projectKey)}/rules`;

const workflowChanged = () => client.invalidateQueries({ queryKey: ['workflow'] });

/** Adds a rule to a transition. */
export async function addRule(projectKey: string, rule: NewRule): Promise<void> {
  await getText(rulesPath(projectKey), sending('POST', rule));
  await workflowChanged();
}

/** Changes the configuration of a rule. */
export async function configureRule(projectKey: string, id: string, config: string): Promise<void> {
  await getText(`${rulesPath(projectKey)}/${id}`, sending('PUT', { config }));
  await workflowChanged();
}

export async function removeRule(projectKey: string, id: string): Promise<void> {
  await getText(`${rulesPath(projectKey)}/${id}`, { method: 'DELETE' });
  await workflowChanged();
}

const gadgetsChanged = () => client.invalidateQueries({ queryKey: ['gadgets'] });

/** Adds a gadget to the dashboard. */
export async function addGadget(gadget: Omit<HostGadget, 'id'>): Promise<void> {
  await getText('/host/gadgets', sending('POST', gadget));
  await gadgetsChanged();
}

/** Keeps the configuration of a Forge gadget. */
export const configureGadget = (id: string, config: unknown): Promise<string> =>
  getText(`/host/gadgets/${id}`, sending('PUT', { config }));

export async function removeGadget(id: string): Promise<void> {
  await getText(`/host/gadgets/${id}`, { method: 'DELETE' });
  await gadgetsChanged();
}

const faultsChanged = () => client.invalidateQueries({ queryKey: faultsQuery.queryKey });

export async function addFault(fault: Fault): Promise<void> {
  await getText('/host/faults', sending('POST', fault));
  await faultsChanged();
}

/** Ends one fault, or all of them. */
export async function endFault(id?: string): Promise<void> {
  await getText(id === undefined ? '/host/faults' : `/host/faults/${encodeURIComponent(id)}`, { method: 'DELETE' });
  await faultsChanged();
}

const quotaChanged = () => client.invalidateQueries({ queryKey: quotaQuery.queryKey });

/** Sets or removes the quota of each app. */
export async function limitQuota(edit: HostQuotaEdit): Promise<void> {
  await getText('/host/quota', sending('PUT', edit));
  await quotaChanged();
}

/** Resets the quota's ledger. */
export async function resetQuota(): Promise<void> {
  await getText('/host/quota', { method: 'DELETE' });
  await quotaChanged();
}

const outboxChanged = () => client.invalidateQueries({ queryKey: outboxQuery.queryKey });

/** Sets the receiver's secret and the status that it answers. */
export async function editOutbox(edit: HostOutboxEdit): Promise<void> {
  await getText('/host/outbox', sending('PUT', edit));
  await outboxChanged();
}

/** Empties the outbox. */
export async function clearOutbox(): Promise<void> {
  await getText('/host/outbox', { method: 'DELETE' });
  await outboxChanged();
}

/** Sends a web request to an app, as the automation does. */
export const sendWebRequest = (request: HostAutomation): Promise<HostAutomationAnswer> =>
  getJson('/host/automation', automationAnswerShape, sending('POST', request));

const propertyShape = v.object({ value: v.unknown() });

const centrePanel = (projectKey: string, addonKey: string) =>
  `/rest/api/2/project/${encodeURIComponent(projectKey)}/properties/${storageKey('show-in-center-panel', addonKey)}`;

/** Whether the checklist of a project's issues is below the description; an absent property means no. */
export async function readCentrePanel(projectKey: string, addonKey: string): Promise<boolean> {
  try {
    return isYes((await getJson(centrePanel(projectKey, addonKey), propertyShape)).value);
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return false;
    throw error;
  }
}

/** The property holds a string: the descriptor's condition compares it with "true". */
export async function writeCentrePanel(projectKey: string, addonKey: string, shown: boolean): Promise<void> {
  await getText(centrePanel(projectKey, addonKey), sending('PUT', String(shown)));
}

const permissionsShape = v.object({ permissions: v.record(v.string(), v.object({ havePermission: v.boolean() })) });

/** Whether the visitor may change the project's settings. */
export async function canAdminister(projectKey: string): Promise<boolean> {
  const parameters = new URLSearchParams({ permissions: 'ADMINISTER_PROJECTS', projectKey });
  const { permissions } = await getJson(`/rest/api/2/mypermissions?${parameters}`, permissionsShape);
  return permissions.ADMINISTER_PROJECTS?.havePermission ?? false;
}
