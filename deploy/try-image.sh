#!/bin/sh
# Runs the steps of Dockerfile without a builder, and starts what they make in an empty root: Node with its libraries,
# and what the last stage copies, as a user without rights. As root: deploy/try-image.sh [FOLDER]
# A FOLDER that has the first stage of an earlier run keeps it.
# With NODE_MODULES=FOLDER, packages are taken from there instead of being fetched.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=${1:-$(mktemp -d)}
build=$work/build
root=$work/root
port=${PORT:-3999}
say() { echo "== $*"; }

if [ ! -e "$work/built" ]; then
say "first stage in $build"
mkdir -p "$build" "$root"
# What .dockerignore leaves of the working tree.
files() { git -C "$here" ls-files -z --cached --others --exclude-standard -- "$@"; }
(cd "$here" && { files . ':!bench' ':!docs' ':!test'; files test/run; } | tar --null -T - -cf -) | tar -C "$build" -xf -
cd "$build"
if [ -n "${NODE_MODULES:-}" ]; then cp -a "$NODE_MODULES" node_modules; rm -rf node_modules/.cache; else npm ci --no-audit --no-fund; fi
export COMMIT=${COMMIT:-$(git -C "$here" rev-parse --short=12 HEAD)}
sed -n '/^FROM .* AS build/,/^FROM [^ ]*$/s/^RUN //p' deploy/Dockerfile | grep -v '^npm ci' | while read -r step; do
  say "$step"
  sh -euc "$step" > "$work/step.log" 2>&1 || { tail -20 "$work/step.log"; exit 1; }
done
touch "$work/built"
fi

say "last stage in $root"
mkdir -p "$root/srv/checklist" "$root/tmp" "$root/data" "$root/dev" "$root/proc" "$root/usr/bin"
chmod 1777 "$root/tmp"
node=$(readlink -f "$(command -v node)")
cp "$node" "$root/usr/bin/node"
ldd "$node" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 444 "$root/dev/urandom" c 1 9
sed -n 's|^COPY --from=build /build/\(\S*\) \./\(\S*\)$|\1 \2|p' deploy/Dockerfile | while read -r from to; do
  mkdir -p "$root/srv/checklist/$(dirname "${to:-.}")"
  cp -a "$build/$from" "$root/srv/checklist/${to:-}"
done
chown 1000:1000 "$root/data"
for part in node_modules dist/server dist/client; do echo "$(du -sm "$root/srv/checklist/$part" | cut -f1) MB $part"; done
for package in react react-dom @atlaskit @codemirror typescript vite; do
  # Without a package, npm leaves the folder of its scope.
  [ -z "$(ls -A "$root/srv/checklist/node_modules/$package" 2> /dev/null)" ] || { echo "$package is there." >&2; exit 1; }
done

# In a subshell: it becomes the program, so that signals reach that.
inside() {
  exec chroot --userspec=1000:1000 "$root" /usr/bin/env -i "$@"
}
# The only other program of the root.
cp "$(command -v env)" "$root/usr/bin/env"
ldd "$(command -v env)" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"; [ -e "$root$library" ] || cp -L "$library" "$root$library"
done

say "start on port $port"
settings="NODE_ENV=production HOST=127.0.0.1 PORT=$port DATA_DIR=/data CLIENT_DIR=/srv/checklist/dist/client"
# shellcheck disable=SC2086
inside --chdir=/srv/checklist $settings ${DATABASE_URL:+DATABASE_URL="$DATABASE_URL" ENCRYPTION_KEY="$ENCRYPTION_KEY"} \
  /usr/bin/node dist/server/main.js > "$work/server.log" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true' EXIT
tries=0
until curl -fs -m 5 "http://127.0.0.1:$port/health/ready"; do
  tries=$((tries + 1))
  [ $tries -lt 120 ] && kill -0 $server || { tail -20 "$work/server.log"; exit 1; }
  sleep 1
done
echo
curl -fs "http://127.0.0.1:$port/atlassian-connect.json" > /dev/null
curl -fs "http://127.0.0.1:$port/metrics" > /dev/null
echo "$(ps -o rss= -p $server | awk '{ print int($1 / 1024) }') MB of memory"
script=$(find "$root/srv/checklist/dist/client/assets" -name '*.js' | head -1)
curl -fs -o /dev/null "http://127.0.0.1:$port/assets/$(basename "$script")"
say "health check of the image"
check=$(sed -n 's/^  CMD \["node", "-e", "\(.*\)"\]$/\1/p' deploy/Dockerfile)
(inside --chdir=/srv/checklist PORT="$port" /usr/bin/node -e "$check")
kill $server
wait $server || true
trap - EXIT
say "operators' command"
# shellcheck disable=SC2086
(inside --chdir=/srv/checklist $settings /usr/bin/node dist/server/admin.js tenants)
say "the image's steps work"
