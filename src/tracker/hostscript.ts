import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Folder of the vendor's bridge: the frame's half of it, themes. */
export const bridgeFolder = dirname(createRequire(import.meta.url).resolve('atlassian-connect-js/dist/iframe.js'));

/**
 * The script that a frame of an add-on loads: the vendor's frame half of the bridge, its style sheets taken from
 * `siteUrl` instead of the content network, and `AP.request` as the product wraps it.
 */
export async function hostScript(siteUrl: string): Promise<string> {
  const bridge = await readFile(`${bridgeFolder}/iframe.js`, 'utf8');
  const { host, origin } = new URL(siteUrl);
  const local = bridge
    .replace('"connect-cdn.atl-paas.net"', JSON.stringify(host))
    .replace('"https://" + CDN_DOMAIN', JSON.stringify(origin));
  return `${local}\n${WORKFLOW_SCRIPT}\n${REQUEST_SCRIPT}`;
}

/**
 * The page calls the listeners when the user saves a workflow rule, and keeps what `onSave` returns; and those of a
 * dashboard's item when the user configures or refreshes it. They stay on this side;
 * the host asks by an event. Source text, since it runs in the frame's page.
 */
const WORKFLOW_SCRIPT = `(function () {
  if (!window.AP || !AP.jira || !AP.jira.offerConfiguration) return;
  var validate = function () { return true; };
  var save;
  AP.jira.WorkflowConfiguration = {
    onSaveValidation: function (listener) { validate = listener; },
    onSave: function (listener) {
      if (!save) AP.jira.offerConfiguration();
      save = listener;
    }
  };
  var item = {};
  AP.jira.DashboardItem = {
    onDashboardItemEdit: function (listener) { item.edit = listener; },
    onDashboardItemRefreshed: function (listener) { item.refresh = listener; }
  };
  AP.events.on('dashboard-item', function (sent) {
    if (sent && sent.frame === AP._data.extension_id && item[sent.event]) item[sent.event]();
  });
  AP.events.on('workflow-rule-saved', function () {
    if (save) AP.jira.configured(JSON.stringify(validate() ? { value: String(save()) } : {}));
  });
})();
`;

/**
 * Functions do not cross from frame to host, so `success` and `error` are called on this side. The host's `request`
 * answers `{ ok, body, xhr }`. Source text, since it runs in the frame's page.
 */
const REQUEST_SCRIPT = `(function () {
  if (!window.AP || typeof AP.request !== 'function') return;
  var send = AP.request;
  AP.request = function (first, second) {
    var options = Object.assign({}, typeof first === 'string' ? second : first);
    if (typeof first === 'string') options.url = first;
    var success = options.success;
    var error = options.error;
    delete options.success;
    delete options.error;
    var answered = send.call(AP, options).then(function (answer) {
      var xhr = Object.assign({}, answer.xhr, {
        getResponseHeader: function (name) { return answer.xhr.headers[String(name).toLowerCase()]; }
      });
      if (!answer.ok) throw { err: answer.xhr.statusText, xhr: xhr };
      return { body: answer.body, xhr: xhr };
    });
    if (success || error) {
      answered.then(
        function (result) { if (success) success(result.body, 'success', result.xhr); },
        function (failure) { if (error) error(failure.xhr || {}, 'error', failure.err || String(failure)); }
      );
    }
    return answered;
  };
})();
`;
