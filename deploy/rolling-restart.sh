#!/bin/sh
# Replaces the containers of each service by new ones of the current image, without an interruption: the
# migrations run beside the old code, and an old container stops once a new one is healthy.
# Usage: deploy/rolling-restart.sh [service …]
set -eu
cd "$(dirname "$0")/.."
. deploy/compose.sh
[ $# -gt 0 ] || set -- auth notes-worker notes links webhook-dispatcher worker web

wait_until_healthy() { # <container>
  seconds=0
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; do
    seconds=$((seconds + 1))
    if [ "$seconds" -gt 120 ]; then
      docker logs --tail 20 "$1" >&2
      echo "the new container of $service is not healthy after 120 s: the restart stops here" >&2
      exit 1
    fi
    sleep 1
  done
}

new_containers() { compose ps --quiet "$service" | grep -vxF "$before"; }

# An unfinished replacement would leave an extra replica after every try.
before=
remove_unfinished() {
  [ -n "$before" ] || return 0
  for unfinished in $(new_containers); do docker rm --force "$unfinished" > /dev/null; done
}
trap remove_unfinished EXIT
trap 'exit 130' INT TERM HUP

for service; do
  case $service in
    web) migration= ;;
    notes-worker) migration=migrate-notes ;;
    webhook-dispatcher | worker) migration=migrate-webhooks ;;
    *) migration=migrate-$service ;;
  esac
  if [ -n "$migration" ] && ! output=$(compose run --rm --no-deps -T "$migration"); then
    printf '%s\n' "$output" "migration of $service failed: the restart stops here" >&2
    exit 1
  fi
  # A stopped one would be started again instead of a new one.
  compose rm --force "$service" > /dev/null
  old=$(compose ps --quiet "$service")
  count=$(echo "$old" | grep -c .) || true
  # One after another, so that the others have the machine to themselves while they serve for it.
  for container in $old; do
    running=$(compose ps --quiet "$service")
    before=$running
    compose up --detach --no-deps --no-build --no-recreate --scale "$service=$((count + 1))" "$service"
    # Not the old ones: an unhealthy one is what may have to be replaced.
    new=$(new_containers)
    wait_until_healthy "$new"
    before=
    docker stop --time 30 "$container" > /dev/null
    docker rm "$container" > /dev/null
  done
  echo "$service: $count replaced"
done
