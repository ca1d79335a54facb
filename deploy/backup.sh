#!/bin/sh
# A backup, and a proof of a restore:
#   backup.sh save FILE     writes FILE, and FILE.rows with the number of rows of each table and a sum over them
#   backup.sh prove FILE    restores FILE into a database of its own, compares it row by row with FILE.rows, and drops it
#   backup.sh compare FILE  compares the database with FILE.rows, after a restore and before the servers start
# Connects as PostgreSQL's variables say (PGHOST, PGUSER, PGDATABASE: checklist): "save" as checklist_backup, the others
# as a superuser. No file is left behind under its name unless it is whole.
set -eu
umask 077
export PGDATABASE="${PGDATABASE:-checklist}"

# One line a table: name, rows, sum of a hash of each row.
rows() {
  cat <<'SQL'
set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; set extra_float_digits = 1;
select format('select %L, count(*), coalesce(sum((''x'' || left(md5(each::text), 15))::bit(60)::bigint), 0) from public.%I each',
  tablename, tablename) from pg_tables where schemaname = 'public' order by tablename \gexec
SQL
}

save() {
  file=$1
  # Also on a failure; a marker of an earlier run must not count for this one.
  trap 'rm -f "$file.part" "$file.part.done" "$file.rows.part"' EXIT
  rm -f "$file.part" "$file.part.done" "$file.rows.part"
  # The dump and the sums see the same moment, while the servers work.
  {
    echo 'begin isolation level repeatable read read only;'
    echo "select pg_export_snapshot() as snapshot \\gset"
    echo '\setenv SNAPSHOT :snapshot'
    echo '\! pg_dump --format=custom --snapshot="$SNAPSHOT" --file="$PART" && touch "$PART.done"'
    rows
    echo 'commit;'
  } | PART="$file.part" psql -qAt -v ON_ERROR_STOP=1 > "$file.rows.part"
  [ -e "$file.part.done" ] || { echo "pg_dump failed: no backup was written." >&2; exit 1; }
  mv "$file.rows.part" "$file.rows"
  mv "$file.part" "$file"
  echo "$file: $(wc -l < "$file.rows") tables, $(awk -F'|' '{ sum += $2 } END { print sum }' "$file.rows") rows."
}

compare() {
  file=$1
  restored=$(mktemp)
  rows | psql -qAt -v ON_ERROR_STOP=1 > "$restored"
  diff "$file.rows" "$restored" >&2 && same=true || same=false
  rm "$restored"
  $same || { echo "$file: the restored rows differ." >&2; exit 1; }
  echo "$file: all rows are there."
}

prove() {
  file=$1
  database="checklist_proof_$$"
  createdb --template=template0 "$database"
  trap 'dropdb --if-exists "$database"' EXIT
  pg_restore --exit-on-error --no-owner --dbname="$database" "$file"
  PGDATABASE=$database compare "$file"
}

case "${1:-} ${2:+file}" in
  'save file') save "$2" ;;
  'prove file') prove "$2" ;;
  'compare file') compare "$2" ;;
  *) echo "Usage: backup.sh save|prove|compare FILE" >&2; exit 2 ;;
esac
