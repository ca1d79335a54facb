#!/bin/bash
# Runs the commands of README.md, as they stand there, on a bare Debian with systemd in a container: two processes, a
# change through nginx, a backup, and a restore. As root, on Debian with systemd-container and debootstrap:
#   deploy/try-guide.sh [FOLDER]
# The container has no network but its own loopback. A FOLDER that has Debian's files of an earlier run keeps them.
# With NODE_MODULES=FOLDER, packages are taken from there instead of being fetched.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(readlink -f "${1:-$(mktemp -d)}")
debian=$work/debian root=$work/root build=$work/build tracker=$work/tracker
guide=$here/deploy/README.md
say() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }

# The guide's Nth block of commands below a heading.
block() {
  awk -v heading="$1" -v wanted="$2" '
    !inside && /^#+ / { here = ($0 ~ "^#+ " heading "$") }
    /^ *```/ { if (inside) { inside = 0; if (found) exit } else { inside = 1; if (here && ++count == wanted) { found = 1 }; match($0, /^ */); indent = RLENGTH }; next }
    inside && found { print substr($0, indent + 1) }
  ' "$guide" | grep . || fail "The guide has no block $2 under \"$1\"."
}
# A command that stands within the guide's text.
inline() {
  local found
  found=$(grep -oF "\`$1\`" "$guide") || fail "The guide does not say \"$1\"."
  [ -n "$found" ] && echo "$1"
}

if [ ! -e "$debian.done" ]; then
  say "Debian in $debian"
  rm -rf "$debian"
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,openssl,curl,postgresql,nginx-light \
    bookworm "$debian" http://deb.debian.org/debian > "$work/debian.log" 2>&1 || { tail -5 "$work/debian.log"; exit 1; }
  touch "$debian.done"
fi
rm -rf "$root" "$build" "$tracker" "$work/build.log"
cp -a "$debian" "$root"
# Debian 12 has Node 18.
cp "$(readlink -f "$(command -v node)")" "$root/usr/bin/node"

say "build, in a copy of the repository"
mkdir -p "$build" "$tracker"
git -C "$here" ls-files -z --cached --others --exclude-standard | tar -C "$here" --null -T - -cf - | tar -C "$build" -xf -
commands=$(block 'Set up' 4)
[ -z "${NODE_MODULES:-}" ] || { cp -a "$NODE_MODULES" "$build/node_modules"; commands=${commands/npm ci && /}; }
make() { (cd "$build" && bash -euxc "$1") >> "$work/build.log" 2>&1 || { tail -20 "$work/build.log"; exit 1; }; }
COMMIT=$(git -C "$here" rev-parse --short=12 HEAD)
export COMMIT
make "$(grep 'npm run' <<< "$commands")"
# The local tracker needs what is for development only.
cp -al "$build/package.json" "$build/node_modules" "$build/dist" "$tracker"
make "$(grep 'npm prune' <<< "$commands")"

say "boot"
systemd-nspawn --quiet --boot --register=no --keep-unit --private-network --console=read-only --machine=checklist-guide \
  --directory="$root" --bind="$build:/usr/local/src/checklist" --bind="$tracker:/usr/local/src/tracker" > "$work/console.log" 2>&1 < /dev/null &
container=$!
leader() { pgrep -P $container | head -1; }
# Runs commands in the container, in the copy of the repository.
inside() {
  nsenter --target "$(leader)" --mount --uts --ipc --net --pid --root \
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 bash -euo pipefail -c "cd /usr/local/src/checklist; $1"
}
end() {
  local status=$?
  if [ $status -ne 0 ]; then
    inside "journalctl --no-pager -n 30 -u 'checklist@*' -u nginx -u 'postgresql*' -u tracker" >&2 || tail -20 "$work/console.log" >&2
  fi
  kill -KILL "$(leader)" 2> /dev/null || true
  wait $container 2> /dev/null || true
  exit $status
}
trap end EXIT
# Waits until a command succeeds in the container, two minutes at most.
until_inside() {
  for ((tries = 0; tries < 120; tries++)); do
    inside "$1" > /dev/null 2>&1 && return
    sleep 1
  done
  fail "did not come: $1"
}
until_inside 'systemctl is-active --quiet multi-user.target && runuser -u postgres -- psql -c "select 1"'

say "users and database"
printf 'server-word\nbackup-word\n' | inside "$(block 'Set up' 1)"
inside "$(block 'Set up' 2)"

say "settings"
inside "$(inline 'install -m 600 /dev/null /etc/checklist.env')"
block 'Set up' 3 | sed "s/checklist:…@/checklist:server-word@/; s|^ENCRYPTION_KEY=…|ENCRYPTION_KEY=$(openssl rand -base64 32)|" > "$work/checklist.env"
# The local tracker stands in for the vendor's.
cat >> "$work/checklist.env" << 'ENV'
TENANT_HOSTS=localhost
FRAME_ANCESTORS=http://localhost:2990
HOST_SCRIPT_URL=http://localhost:2990/atlassian-connect/all.js
INSTALL_KEYS_URL=http://localhost:2990/install-keys
ENV
inside 'cat > /etc/checklist.env; stat -c %a /etc/checklist.env | grep -qx 600' < "$work/checklist.env"

say "install and start"
inside "$(grep -v npm <<< "$commands")"
inside "$(inline 'systemctl enable --now checklist@3001 checklist@3002')"
for port in 3001 3002; do until_inside "curl -fs http://127.0.0.1:$port/health/ready"; done
inside 'systemd-analyze security --no-pager checklist@3001 | tail -1'

say "nginx"
inside 'mkdir -p /etc/letsencrypt/live/checklist.example.com && cd /etc/letsencrypt/live/checklist.example.com &&
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=checklist.example.com -addext subjectAltName=DNS:checklist.example.com \
    -keyout privkey.pem -out fullchain.pem 2> /dev/null
  echo "127.0.0.1 checklist.example.com" >> /etc/hosts'
inside "$(block nginx 1)"
https="curl -fsS --cacert /etc/letsencrypt/live/checklist.example.com/fullchain.pem"
until_inside "$https https://checklist.example.com/atlassian-connect.json"
for closed in /metrics /health/ready; do
  inside "! $https https://checklist.example.com$closed 2> /dev/null" || fail "$closed is open."
done

say "a change through nginx"
inside 'systemd-run --quiet --unit=tracker --working-directory=/usr/local/src/tracker -E ADDON_URL=https://checklist.example.com -E TRACKER_DATA= -E LOG_LEVEL=warn \
  -E NODE_EXTRA_CA_CERTS=/etc/letsencrypt/live/checklist.example.com/fullchain.pem /usr/bin/node dist/tracker/main.js'
until_inside 'curl -fs http://localhost:2990/health | grep -q "\"state\":\"installed\""'
# visitor read | visitor write TEXT: a checklist's text, as a person at the tracker's page.
cat > "$root/root/visitor.mjs" << 'JS'
const [what, text] = process.argv.slice(2);
const site = 'http://localhost:2990';
const addon = 'https://checklist.example.com';
// The editor of the local tracker (src/tracker/site/people.ts).
const editor = { headers: { cookie: 'tracker.account=5b10a2844c20165700ede21c' } };
const key = (await (await fetch(`${addon}/atlassian-connect.json`)).json()).key;
const context = await (await fetch(`${site}/host/context-token?issueKey=WEB-1`, editor)).text();
const session = await fetch(`${addon}/api/jira/auth`, { headers: { 'app-key': key, authorization: `JWT ${context}` } });
const { token } = await session.json();
const { id } = await (await fetch(`${site}/rest/api/2/issue/WEB-1?fields=summary`, editor)).json();
async function ask(query, variables) {
  const headers = { authorization: `JWT ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${addon}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
const read = async () => (await ask('query ($id: ID!) { checklist(issueId: $id) { epoch seq hash text } }', { id })).checklist;
if (what === 'write') {
  const { text: before, ...base } = await read();
  const input = { issueId: id, clientId: crypto.randomUUID(), base: { ...base, text: before.trimEnd() }, change: { kind: 'updateChecklistFromText', text } };
  const query = 'mutation ($input: ChangeChecklistInput!) { changeChecklist(input: $input) { errors { code message } } }';
  const { errors } = (await ask(query, { input })).changeChecklist;
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}
console.log((await read()).text.trimEnd());
JS
visitor() { inside "NODE_EXTRA_CA_CERTS=/etc/letsencrypt/live/checklist.example.com/fullchain.pem node /root/visitor.mjs $*"; }
[ "$(visitor "write '- Before the backup'")" = '- Before the backup' ] || fail "The change is not there."
inside 'grep -c " POST /graphql 200 " /var/log/nginx/checklist.access.log' > /dev/null || fail "It did not go through nginx."
inside '! grep -rE "jwt=|JWT |eyJ" /var/log/nginx' || fail "A token is in nginx's logs."

say "a process that was killed is back, and the other one answered"
inside 'systemctl kill --signal=KILL checklist@3001'
[ "$(visitor read)" = '- Before the backup' ] || fail "The other process did not answer."
until_inside 'curl -fs http://127.0.0.1:3001/health/ready'

say "a minute without the database"
inside 'systemctl stop postgresql'
until_inside '! curl -fs http://127.0.0.1:3001/health/ready && ! curl -fs http://127.0.0.1:3002/health/ready'
inside 'systemctl restart checklist@3002; sleep 60; systemctl start postgresql'
for port in 3001 3002; do until_inside "curl -fs http://127.0.0.1:$port/health/ready"; done
[ "$(visitor read)" = '- Before the backup' ] || fail "The checklist is not there."

say "a setting that cannot work"
inside 'systemctl start checklist@70000'
until_inside 'systemctl show -p ActiveState -p ExecMainStatus checklist@70000 | paste -s | grep -qx "ExecMainStatus=78.ActiveState=failed"'
inside 'journalctl --no-pager -o cat -u checklist@70000 | grep PORT'

say "operators' command"
inside "$(block 'For operators' 1)"

say "backup"
inside "$(block 'Backup and restore' 1 | sed 's/PGPASSWORD=…/PGPASSWORD=backup-word/')"
[ "$(visitor "write '- After the backup'")" = '- After the backup' ] || fail "The second change is not there."
say "restore"
inside "$(block 'Backup and restore' 2)"
for port in 3001 3002; do until_inside "curl -fs http://127.0.0.1:$port/health/ready"; done
[ "$(visitor read)" = '- Before the backup' ] || fail "The restored checklist is not that of the backup."
say "the guide works"
