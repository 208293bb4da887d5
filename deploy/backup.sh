#!/bin/sh
# Dumps the databases of all services to a new folder, all as of one moment, and then copies the attached files,
# while the platform runs. A file never changes, so the copy has each that the dumps mention, but for those that
# were deleted in between. Files in an S3 bucket are not copied: the bucket has its own versions and copies.
# Usage: deploy/backup.sh <folder>
#
# Postgres has no snapshot of several databases. This holds a lock on every outbox for the fraction of a
# second in which it takes a snapshot of each database: no event or message leaves an outbox in between, so
# each is in the dump of its producer or of its consumer, or of both, which consumers expect.
# Redis is not saved. What it carries is in an outbox as well, and only clicks of the last seconds,
# rate limits and schedules are not; the services restore the schedules.
# Keep a copy of ./secrets in another place: without its keys parts of a dump cannot be decrypted.
set -eu
# A dump holds everything: only its owner may read it.
umask 077
[ $# -eq 1 ] || { echo 'usage: deploy/backup.sh <folder>' >&2; exit 2; }
target=${1%/}
[ ! -e "$target" ] || { echo "$target exists already" >&2; exit 2; }
if [ -e "$target.unfinished" ]; then
  echo "$target.unfinished exists already: delete it, unless another backup is writing it" >&2
  exit 2
fi
mkdir -p "$(dirname "$target")"
target=$(cd "$(dirname "$target")" && pwd)/$(basename "$target")
# It gets its name when it is whole.
folder=$target.unfinished
mkdir "$folder"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
cd "$(dirname "$0")/.."
. deploy/compose.sh
require_own_postgres

# Prints a line `<service> <snapshot>` for each database, and holds the snapshots until its input ends.
hold_snapshots='
set -eu
folder=$(mktemp -d)
export PGOPTIONS="-c lock_timeout=10s -c idle_in_transaction_session_timeout=6h"
trap "touch \"$folder/unlock\" \"$folder/end\"; wait; rm -rf \"$folder\"" EXIT
await() { # <file>
  tries=0
  until [ -s "$1" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || { echo "no answer from Postgres: see $1" >&2; exit 1; }
    sleep 0.05
  done
}
for service in auth notes links webhooks; do
  psql -qAtX -v ON_ERROR_STOP=1 -d "atrium_$service" > /dev/null <<SQL &
BEGIN;
LOCK TABLE outbox IN SHARE MODE;
\! echo locked > $folder/$service.locked; until [ -e $folder/unlock ]; do sleep 0.02; done
COMMIT;
SQL
done
for service in auth notes links webhooks; do await "$folder/$service.locked"; done
for service in auth notes links webhooks; do
  # Their partitions are not dropped before they are dumped.
  case $service in
    links) partitioned="LOCK TABLE clicks IN ACCESS SHARE MODE;" ;;
    webhooks) partitioned="LOCK TABLE events, attempts IN ACCESS SHARE MODE;" ;;
    *) partitioned="" ;;
  esac
  psql -qAtX -v ON_ERROR_STOP=1 -d "atrium_$service" > "$folder/$service.snapshot" <<SQL &
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
$partitioned
SELECT pg_export_snapshot();
\! until [ -e $folder/end ]; do sleep 0.2; done
SQL
done
for service in auth notes links webhooks; do await "$folder/$service.snapshot"; done
touch "$folder/unlock"
for service in auth notes links webhooks; do echo "$service $(cat "$folder/$service.snapshot")"; done
cat > /dev/null
'

work=$(mktemp -d)
mkfifo "$work/input"
in_postgres sh -c "$hold_snapshots" < "$work/input" > "$work/snapshots" &
holder=$!
exec 3> "$work/input"
trap 'exec 3>&-; wait "$holder" || true; rm -rf "$work" "$folder"' EXIT

tries=0
until [ "$(wc -l < "$work/snapshots")" -eq 4 ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$holder" 2> /dev/null; then
    echo 'the snapshots could not be taken: is Postgres running?' >&2
    exit 1
  fi
  sleep 0.1
done
while read -r service snapshot; do
  in_postgres pg_dump --format=custom --snapshot="$snapshot" "atrium_$service" \
    < /dev/null > "$folder/$service.dump"
done < "$work/snapshots"
# tar exits with 1 when a file was deleted while it was read.
compose run --rm --no-deps -T notes sh -c \
  'tar --create --directory=/var/lib/atrium/files --exclude="*.unfinished" . || [ $? -eq 1 ]' \
  < /dev/null > "$folder/files.tar"
sync
mv "$folder" "$target"
echo "backed up to $target"
