-- Users and database, as PostgreSQL's superuser:
--   DATABASE_PASSWORD=… BACKUP_PASSWORD=… psql -v ON_ERROR_STOP=1 -f roles.sql
\getenv password DATABASE_PASSWORD
\getenv backup BACKUP_PASSWORD

-- The server's. It owns the tables, passes over no policy, and reads tenants' rows in a role that owns none.
create role checklist login password :'password';
create role checklist_app nologin;
grant checklist_app to checklist;
create database checklist owner checklist;

-- For backups: reads every row of every tenant, and writes nothing.
create role checklist_backup login bypassrls password :'backup';
grant pg_read_all_data to checklist_backup;
