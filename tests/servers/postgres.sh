#!/usr/bin/env bash
# A PostgreSQL server for tests, Debian's own, reached by a socket in DIR alone.
#   postgres.sh install     apt-get the packages (idempotent)
#   postgres.sh run DIR [PORT]  make DIR, start a server there, say "ready"; a line "restart" on standard input restarts it at
#                           once, as if the machine had lost power; when the input ends the server stops and DIR goes
# PostgreSQL does not run as root: then it runs as the user that its package makes.
set -euo pipefail
cmd=${1:-run}
D=${2:-}
PORT=${3:-}

say() { echo "postgres: $*" >&2; }

if [ "$cmd" = install ]; then
  if ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    as=(); [ "$(id -u)" = 0 ] || as=(sudo -n)
    # No cluster of the system's own is made, and no daemon started.
    "${as[@]}" mkdir -p /etc/postgresql-common/createcluster.d
    echo "create_main_cluster = false" | "${as[@]}" tee /etc/postgresql-common/createcluster.d/tests.conf >/dev/null
    "${as[@]}" apt-get update -qq
    "${as[@]}" apt-get install -y -qq --no-install-recommends postgresql >/dev/null
    say "installed postgresql"
  fi
  exit
fi

BIN=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
run() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

mkdir -p "$D"
[ "$(id -u)" != 0 ] || chown postgres "$D"
trap 'run "$BIN/pg_ctl" -D "$D/data" -m immediate -w stop >/dev/null 2>&1 || true; rm -rf "$D"' EXIT
cd "$D"
run "$BIN/initdb" -D "$D/data" -U estafette -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
net=(-c "listen_addresses=")
if [ -n "$PORT" ]; then   # reached over the network too, with TLS: its certificate is for localhost alone
  key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
  for ca in ca other; do
    run openssl req -x509 "${key[@]}" -days 3650 -keyout "$D/$ca.key" -out "$D/$ca.pem" -subj "/CN=estafette test $ca" \
      -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
  done
  run openssl req "${key[@]}" -keyout "$D/server.key" -out "$D/server.csr" -subj "/CN=localhost" 2>/dev/null
  printf '%s\n' "basicConstraints=CA:FALSE" "subjectAltName=DNS:localhost" "extendedKeyUsage=serverAuth" >"$D/ext"
  run openssl x509 -req -in "$D/server.csr" -CA "$D/ca.pem" -CAkey "$D/ca.key" -CAcreateserial -days 3650 \
    -out "$D/server.pem" -extfile "$D/ext" 2>/dev/null
  net=(-c "listen_addresses=localhost" -c "port=$PORT" -c ssl=on -c "ssl_cert_file=$D/server.pem" -c "ssl_key_file=$D/server.key")
fi
# What a stopped server has written the system still has: only a machine that loses power needs the wait for the disk.
start() {
  run "$BIN/pg_ctl" -D "$D/data" -l "$D/log" -w -s \
    -o "-k $D ${net[*]} -c max_connections=100 -c shared_buffers=64MB \
        -c fsync=off -c full_page_writes=off" start
}
start
echo ready
while read -r line; do
  if [ "$line" = restart ]; then
    run "$BIN/pg_ctl" -D "$D/data" -m immediate -w -s stop
    start
    echo ready
  fi
done
