import type { Migration } from './migration.ts';

/** The schema of the first release. */
export const baseline: Migration = {
  name: '2026-11-29-baseline',
  tables: [
    'tenant',
    'forge_site',
    'forge_asker',
    'checklist',
    'sync',
    'revision',
    'access_grant',
    'access_doubt',
    'presence',
    'presence_place',
    'template',
    'template_version',
    'template_use',
    'template_default',
    'template_rule',
    'rule_applied',
    'status',
    'status_use',
    'assigned_item',
    'conversion',
    'job',
    'imported',
    'queue',
    'quota_use',
    'quota_fact',
    'watch',
    'api_token',
    'api_request',
    'webhook',
    'webhook_call',
    'person',
    'notification_mute',
    'notification',
    'portal_mode',
    'used_token',
    'registry',
    'project_copy',
    'mailed_project',
    'field_move',
    'reported_account',
    'report_cycle',
  ],
  statements: [
    // Installations of the app.
    `create table tenant (
       tenant text primary key, url text not null, secret bytea, epoch text not null,
       enabled boolean not null, uninstalled timestamptz, installation text, licensed boolean not null default true,
       manage_permissions boolean not null default false, view_permissions boolean not null default false,
       analytics boolean not null default true, getting_started text, starters boolean not null default true,
       text_field text, portal text not null default 'OFF', mirror boolean not null default true,
       status_version integer not null default 0, copies_wanted integer not null default 1,
       copies_confirmed integer not null default 0, copies_watch text, inherited timestamptz)`,
    // The list of all tenants.
    `create policy listed on tenant for select using (current_setting('app.scope', true) = 'every')`,

    // Forge: sites by cloud id, which is looked up before the tenant is known, with the app's token; and users' tokens, for
    // checks of their own permissions. Tokens are encrypted.
    `create table forge_site (
       tenant text primary key, cloud_id text not null, installation text not null, gateway text not null, token bytea,
       token_until timestamptz, licensed boolean not null, permissions jsonb, seen timestamptz not null,
       enabled boolean not null)`,
    'create index forge_site_cloud on forge_site (cloud_id)',
    `create policy listed on forge_site for select using (current_setting('app.scope', true) = 'every')`,
    `create table forge_asker (
       tenant text not null, account text not null, token bytea not null, until timestamptz not null,
       primary key (tenant, account))`,
    `create policy swept on forge_asker using (current_setting('app.scope', true) = 'every')`,

    // Checklists with their counts, and the state of their copies in the tracker. Each index and copy stands beside the
    // revision and the statuses that it was made of, so that one statement finds the stale ones.
    `create table checklist (
       tenant text not null, issue text not null, epoch text not null, seq integer not null, source text not null,
       mirrored boolean not null, project text, key text, service boolean, items integer not null default 0,
       open integer not null default 0, open_mandatory integer not null default 0, due text, indexed_epoch text,
       indexed_seq integer, indexed_registry text, primary key (tenant, issue))`,
    'create index checklist_key on checklist (tenant, key) where key is not null',
    `create table sync (
       tenant text not null, issue text not null, fence integer not null default 0, hints integer not null default 0,
       hints_read integer not null default 0, read_at timestamptz, actors text[] not null default '{}',
       property_wanted boolean not null default false, confirmed_epoch text, confirmed_seq integer, pending_epoch text,
       pending_seq integer,
       property_seen jsonb, swaps integer not null default 0, property_written timestamptz, verdict text,
       property_print text, property_registry text, property_notice text, property_refused text,
       property_tries integer not null default 0, property_retry timestamptz, contended boolean not null default false,
       echoes integer not null default 0, echoes_until timestamptz, field text, field_text text,
       field_unread boolean not null default false, field_epoch text, field_seq integer, field_pending text,
       field_wanted boolean not null default false, field_written timestamptz, field_notice text, field_refused text,
       field_tries integer not null default 0, field_retry timestamptz, swept timestamptz, missing timestamptz,
       cursor text, watch text,
       constraint sync_times check (isfinite(property_retry) and isfinite(field_retry) and missing < 'infinity' and isfinite(swept) and isfinite(read_at)),
       constraint sync_counts check (greatest(hints, echoes, swaps, property_tries, field_tries) < 1000000000),
       constraint sync_wanted check ((property_wanted or (pending_seq is null and property_refused is null))
         and (field_wanted or (field_pending is null and field_refused is null))),
       primary key (tenant, issue))`,
    'create index sync_missing on sync (tenant, issue) where missing is not null',
    `create index sync_refused on sync (tenant) where property_refused is not null or field_refused is not null`,
    `create policy counted on sync for select using (current_setting('app.scope', true) = 'every')`,

    // The history of checklists.
    `create table revision (
       tenant text not null, issue text not null, account text not null, client text not null, kind text not null,
       epoch text not null, seq integer not null, hash text not null, name text not null, text text not null,
       rows jsonb not null default '[]', conflicts jsonb not null, created timestamptz not null default clock_timestamp(),
       primary key (tenant, issue, epoch, seq), unique (tenant, issue, account, client))`,
    'create index revision_latest on revision (tenant, issue, created desc, seq desc)',
    'create index revision_hash on revision (tenant, issue, hash)',
    `create index revision_conflicts on revision (tenant, issue, epoch, seq) where conflicts <> '[]'::jsonb`,

    // Cached permission keys of accounts on issues, for when the tracker does not answer; and the time before which cached
    // permissions and tokens of an issue are stale.
    `create table access_grant (
       tenant text not null, issue text not null, account text not null, framed boolean not null, epoch text not null,
       granted jsonb not null, sees text not null, asked timestamptz not null,
       primary key (tenant, issue, account, framed))`,
    `create table access_doubt (
       tenant text not null, issue text not null, since timestamptz not null, primary key (tenant, issue))`,
    `create policy swept on access_doubt for select using (current_setting('app.scope', true) = 'every')`,

    // Presence: accounts with an open editor, and their row: its index and a hash, never its text.
    `create table presence (
       tenant text not null, issue text not null, stream text not null, account text not null,
       entered timestamptz not null default now(), expires timestamptz not null,
       primary key (tenant, issue, stream))`,
    'create index presence_stream on presence (tenant, stream)',
    `create table presence_place (
       tenant text not null, issue text not null, account text not null, row integer not null, mark text not null,
       primary key (tenant, issue, account))`,

    // Templates of a site (no project) or of one project, their versions and uses, and the rules that apply them.
    `create table template (
       tenant text not null, id text not null, project text, name text not null, text text not null,
       account text not null, created timestamptz not null default now(), updated timestamptz not null default now(),
       key text not null default '', items integer not null default 0, deleted timestamptz,
       primary key (tenant, id))`,
    'create index template_listed on template (tenant, project, key) where deleted is null',
    `create table template_version (
       tenant text not null, template text not null, version integer not null, account text not null, project text,
       name text not null, text text not null, items integer not null, created timestamptz not null default now(),
       primary key (tenant, template, version))`,
    `create table template_use (
       tenant text not null, template text not null, issue text not null, primary key (tenant, template, issue))`,
    'create index template_used on template_use (tenant, issue)',
    `create table template_default (
       tenant text not null, project text not null, template text not null, primary key (tenant, project))`,
    `create table template_rule (
       tenant text not null, id text not null, template text not null, projects jsonb not null,
       issue_types jsonb not null, moment text not null, statuses jsonb not null, field text, enabled boolean not null,
       position integer not null, account text not null, since timestamptz not null default now(),
       primary key (tenant, id))`,
    `create table rule_applied (
       tenant text not null, rule text not null, issue text not null, primary key (tenant, issue, rule))`,

    // Statuses of a site or of one project, and how many items of an issue have one.
    `create table status (
       tenant text not null, slug text not null, project text, name text not null, color text not null,
       checked boolean not null, position integer not null, former jsonb not null default '[]', moves_to text,
       primary key (tenant, slug))`,
    `create table status_use (
       tenant text not null, issue text not null, slug text not null, items integer not null,
       primary key (tenant, issue, slug))`,
    'create index status_used on status_use (tenant, slug)',
    // The statuses by which the texts of a project's issues are read, of the site for project '', as a hash.
    `create table registry (
       tenant text not null, project text not null, print text not null, primary key (tenant, project))`,
    // The copies of statuses and templates that a project refuses, with the reason and the time of the next try.
    `create table project_copy (
       tenant text not null, project text not null, copy text not null, key text not null, refused text not null,
       tries integer not null, due timestamptz not null check (isfinite(due)),
       primary key (tenant, project, copy))`,
    `create policy counted on project_copy for select using (current_setting('app.scope', true) = 'every')`,
    // Projects in which writes of the text field send mail to watchers, and when the tracker last insisted on that.
    `create table mailed_project (
       tenant text not null, project text not null, noted timestamptz not null default now(),
       primary key (tenant, project))`,
    // The platform's tasks that move the data of Connect's fields, by module: the state of each, since when it runs, and
    // when it was looked at.
    `create table field_move (
       tenant text not null, field text not null, state text not null, since timestamptz not null default now(),
       looked timestamptz not null default now(), primary key (tenant, field))`,
    `create policy counted on field_move for select using (current_setting('app.scope', true) = 'every')`,
    // The part that portal customers see, by project.
    `create table portal_mode (
       tenant text not null, project text not null, mode text not null, primary key (tenant, project))`,

    // Assigned items across issues, with their issues' keys and summaries.
    `create table assigned_item (
       tenant text not null, issue text not null, position integer not null, row text, account text not null,
       text text not null, status text not null, checked boolean not null, mandatory boolean not null, due text,
       section text, assigner text, project text, called text, primary key (tenant, issue, position))`,
    'create index assigned_item_of on assigned_item (tenant, account, checked, due)',
    'create index assigned_item_by on assigned_item (tenant, assigner, checked, due) where assigner <> account',
    'create index assigned_item_in on assigned_item (tenant, project, checked, due)',
    'create index assigned_item_uncalled on assigned_item (tenant, account, issue) where called is null',
    'create index assigned_item_due on assigned_item (tenant, due) where not checked and due is not null',

    // Issues created from items: each once, by client id; and whether the item follows the issue.
    `create table conversion (
       tenant text not null, issue text not null, account text not null, client text not null, mark text not null,
       tried timestamptz, key text, made text, row text, summary text not null, follows boolean not null default false,
       reported boolean default false, reported_at timestamptz, applied boolean not null default false,
       primary key (tenant, issue, account, client))`,
    'create index conversion_row on conversion (tenant, issue, row)',
    'create index conversion_followed on conversion (tenant, made) where follows',

    // Jobs over a project or a site with their progress, and the last import of each issue, by the hash of its source.
    `create table job (
       tenant text not null, id text not null, kind text not null, state text not null, project text, issue text,
       options jsonb not null, page text, issue_done text, unanswered text, total integer, seen integer not null default 0,
       done integer not null default 0, skipped integer not null default 0, failed integer not null default 0,
       log jsonb not null default '[]', account text not null, created timestamptz not null default now(),
       updated timestamptz not null default now(), ended timestamptz, primary key (tenant, id))`,
    // One open job per kind and scope.
    `create unique index job_open on job (tenant, kind, coalesce(project, ''), coalesce(issue, ''))
       where ended is null`,
    'create index job_listed on job (tenant, created desc)',
    `create table imported (
       tenant text not null, issue text not null, source text not null, times integer not null default 1,
       primary key (tenant, issue))`,

    // API tokens, by the hash of their secrets, and the requests with an idempotency key.
    `create table api_token (
       tenant text not null, id text not null, epoch text not null, name text not null, hash text not null,
       scope text not null, projects text[] not null, account text not null, created timestamptz not null default now(),
       until timestamptz, used timestamptz, revoked timestamptz, primary key (tenant, id), unique (tenant, hash))`,
    `create table api_request (
       tenant text not null, token text not null, key text not null, fingerprint text not null,
       created timestamptz not null default now(), primary key (tenant, token, key))`,
    'create index api_request_old on api_request (tenant, created)',

    // Webhooks. Secrets are sealed, and end with the installation that they were made in.
    `create table webhook (
       tenant text not null, id text not null, direction text not null, name text not null, url text,
       events jsonb not null default '[]', actions jsonb not null default '[]', projects jsonb not null default '[]',
       with_text boolean not null default false, automated boolean not null default false, secret bytea,
       token bytea, enabled boolean not null default true, failures integer not null default 0, failing timestamptz,
       retry_at timestamptz, stopped timestamptz, account text not null, created timestamptz not null default now(),
       primary key (tenant, id))`,
    'create index webhook_named on webhook (id)',
    `create policy listed on webhook for select using (current_setting('app.scope', true) = 'every')`,
    // The log of both directions, and the outgoing calls that wait: only these have a body.
    `create table webhook_call (
       tenant text not null, webhook text not null, id text not null, event text not null, issue text, body text,
       status integer, outcome text, tries integer not null default 0, took integer,
       created timestamptz not null default clock_timestamp(), ended timestamptz, primary key (tenant, webhook, id))`,
    'create index webhook_call_listed on webhook_call (tenant, webhook, created desc)',
    'create index webhook_call_waiting on webhook_call (tenant, webhook, created) where outcome is null',
    // Personal settings, the person's time zone, and when the last digest was sent.
    `create table person (
       tenant text not null, account text not null, notify text, zone text, digest_at timestamptz,
       primary key (tenant, account))`,
    `create table notification_mute (
       tenant text not null, account text not null, issue text not null, created timestamptz not null default now(),
       primary key (tenant, account, issue))`,
    `create table notification (
       tenant text not null, account text not null, issue text not null, row text not null, kind text not null,
       due text not null default '', created timestamptz not null default now(), sent timestamptz,
       primary key (tenant, account, issue, row, kind, due))`,
    'create index notification_waiting on notification (tenant, account) where sent is null',

    // Accounts that are stored of a site: since when what is known of each is up to date, and when it was last reported
    // to the platform; and the cycle of reports, in days, with the time of the next one.
    `create table reported_account (
       tenant text not null, account text not null, refreshed timestamptz not null default now(), reported timestamptz,
       primary key (tenant, account))`,
    `create table report_cycle (
       tenant text primary key, days integer not null, due timestamptz not null, refused boolean not null default false)`,

    // Tokens that are good once, until they expire.
    `create table used_token (
       tenant text not null, hash text not null, until timestamptz not null, primary key (tenant, hash))`,

    // Queued jobs by tenant, key and name.
    `create table queue (
       tenant text not null, key text not null, name text not null, data jsonb not null, due timestamptz not null,
       tries integer not null default 0, claim uuid, beat timestamptz, again timestamptz, latest timestamptz, failed text,
       primary key (tenant, key, name))`,
    'create index queue_due on queue (due) where failed is null',
    'create index queue_running on queue (beat) where beat is not null',
    `create policy swept on queue using (current_setting('app.scope', true) = 'every')`,

    // Points at the tracker by UTC hour (since the epoch), site, class of work and account (a hash, empty for none), and
    // those used after half of the pool; limits that the tracker reported, until a time in milliseconds.
    `create table quota_use (
       tenant text not null, hour integer not null, work text not null, account text not null, points integer not null,
       contended integer not null, changed timestamptz not null default now(), primary key (tenant, hour, work, account))`,
    'create index quota_use_changed on quota_use (changed)',
    `create policy swept on quota_use using (current_setting('app.scope', true) = 'every')`,
    `create table quota_fact (
       tenant text not null, key text not null, value integer not null, until double precision not null,
       changed timestamptz not null default now(), primary key (tenant, key))`,
    `create policy swept on quota_fact using (current_setting('app.scope', true) = 'every')`,

    // Processes that watch the database, and since when without a gap.
    `create table watch (
       tenant text not null, process text not null, id text not null, since timestamptz not null,
       beat timestamptz not null default now(), origin text not null, primary key (tenant, process))`,
    `create policy swept on watch using (current_setting('app.scope', true) = 'every')`,
    // Tenants' transactions demand that their process's watch continues.
    'create policy told on watch for select using (true)',
    // Identity of the database: changes where a backup is restored or a standby takes over. The control data's timeline
    // is that of the last checkpoint, which may be some minutes old.
    `create function origin() returns text language plpgsql stable as $$ begin
       return (select concat_ws(' ', oid, 'watch'::regclass::oid, system_identifier,
         left(pg_walfile_name(pg_current_wal_lsn()), 8))
         from pg_database, pg_control_system() where datname = current_database());
     exception when others then
       return (select concat_ws(' ', oid, 'watch'::regclass::oid) from pg_database where datname = current_database());
     end $$`,

    // An assertion that fails as a statement does, so that later statements need not wait for its answer.
    `create function demand(holds boolean, what text) returns void language plpgsql as $$ begin
       if holds is not true then raise exception using errcode = 'CL001', message = what; end if;
     end $$`,
  ],
};
