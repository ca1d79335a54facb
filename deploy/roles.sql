-- Users and database, as PostgreSQL's superuser:
--   DATABASE_PASSWORD=… BACKUP_PASSWORD=… psql -v ON_ERROR_STOP=1 -f roles.sql
\getenv password DATABASE_PASSWORD
\getenv backup BACKUP_PASSWORD

-- The server's. It owns the tables, passes over no policy, and reads tenants' rows in a role that owns none.
create role checklist login password :'password';
create role checklist_app nologin;
grant checklist_app to checklist;
create database checklist owner checklist;

-- For backups: reads every row of every tenant in this database, and nothing else. Not with pg_read_all_data, which reads
-- the verifiers of all users' passwords, too.
create role checklist_backup login bypassrls password :'backup';
revoke all on database checklist from public;
grant connect on database checklist to checklist_backup;

\connect checklist
revoke create on schema public from public;
alter default privileges for role checklist in schema public grant select on tables to checklist_backup;
alter default privileges for role checklist in schema public grant select on sequences to checklist_backup;
-- Large objects are made by functions that everyone has.
revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
