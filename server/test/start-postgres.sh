#!/usr/bin/env bash
# Starts a PostgreSQL of Debian's in a temporary folder on a free port, without systemd, also as root.
# Needs: apt-get install -y --no-install-recommends postgresql-15
# Prints: PORT FOLDER PID. The owner role is yore_owner (trust on 127.0.0.1). Stop it with: kill -INT PID
# DATA and PORT start an existing one again. LISTEN is an address to listen on beside 127.0.0.1, for the networks of this machine.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
as=()
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid=postgres --regid=postgres --clear-groups --); fi
dir=${DATA:-$(mktemp -d)}
if [ "$(id -u)" = 0 ]; then chown postgres: "$dir"; fi
cd "$dir"
if [ ! -d "$dir/data" ]; then
  "${as[@]}" "$bin/initdb" -D "$dir/data" -U yore_owner --auth=trust --no-locale -E UTF8 --no-sync >"$dir/initdb.log"
  [ -z "${LISTEN:-}" ] || echo 'host all all samenet trust' >>"$dir/data/pg_hba.conf"
fi
port=${PORT:-$(node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')}
"${as[@]}" "$bin/postgres" -D "$dir/data" -k "$dir" -h "127.0.0.1${LISTEN:+,$LISTEN}" -p "$port" -c fsync="${FSYNC:-on}" -c shared_buffers=128MB -c max_connections=100 >>"$dir/pg.log" 2>&1 </dev/null &
pid=$!
until "$bin/pg_isready" -q -h 127.0.0.1 -p "$port" -d postgres; do kill -0 "$pid"; sleep 0.02; done
echo "$port $dir $pid"
