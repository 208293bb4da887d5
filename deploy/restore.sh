#!/bin/sh
# Restores the dumps and the files of deploy/backup.sh into the empty databases of a new platform.
# Usage: deploy/restore.sh <folder>
#
# Put ./secrets in place and start Postgres alone (`docker compose up --detach --wait postgres`); afterwards
# start the rest. What was sent after the backup is sent again, see the README.
set -eu
[ $# -eq 1 ] && [ -d "$1" ] || { echo 'usage: deploy/restore.sh <folder of a backup>' >&2; exit 2; }
case ${1%/} in *.unfinished) echo "$1 is a backup that was not finished" >&2; exit 2 ;; esac
for file in auth.dump notes.dump links.dump webhooks.dump files.tar; do
  [ -s "$1/$file" ] || { echo "$1/$file is missing or empty: nothing was restored" >&2; exit 2; }
done
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
. deploy/compose.sh
require_own_postgres

for service in auth notes links webhooks; do
  tables=$(in_postgres psql -qAtX --dbname="atrium_$service" < /dev/null \
    --command="SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
  if [ "$tables" != 0 ]; then
    echo "atrium_$service is not empty: restore into a new Postgres volume, with only postgres running" >&2
    exit 1
  fi
done
for service in auth notes links webhooks; do
  in_postgres pg_restore --dbname="atrium_$service" --exit-on-error \
    --single-transaction < "$folder/$service.dump"
done
compose run --rm --no-deps -T notes tar --extract --directory=/var/lib/atrium/files < "$folder/files.tar"
echo "restored from $folder"
