#!/bin/sh
# Replaces the containers of each service by new ones of the current image, without an interruption: the
# migrations run beside the old code, and an old container stops once a new one is healthy.
# Usage: deploy/rolling-restart.sh [service …]
set -eu
cd "$(dirname "$0")/.."
. deploy/compose.sh
[ $# -gt 0 ] || set -- auth notes-worker notes links webhook-dispatcher worker web

wait_until_healthy() {
  for waited_for; do
    seconds=0
    until [ "$(docker inspect --format '{{.State.Health.Status}}' "$waited_for")" = healthy ]; do
      seconds=$((seconds + 1))
      if [ "$seconds" -gt 120 ]; then
        echo "container $waited_for is not healthy after 120 s: the restart stops here" >&2
        exit 1
      fi
      sleep 1
    done
  done
}

for service; do
  case $service in
    web) migration= ;;
    notes-worker) migration=migrate-notes ;;
    webhook-dispatcher | worker) migration=migrate-webhooks ;;
    *) migration=migrate-$service ;;
  esac
  [ -z "$migration" ] || compose run --rm --no-deps "$migration" > /dev/null
  old=$(compose ps --quiet "$service")
  count=$(echo "$old" | wc -l)
  # One after another, so that the others have the machine to themselves while they serve for it.
  for container in $old; do
    compose up --detach --no-deps --no-build --no-recreate --scale "$service=$((count + 1))" "$service"
    # shellcheck disable=SC2046 # one word for each container
    wait_until_healthy $(compose ps --quiet "$service")
    docker stop --time 30 "$container" > /dev/null
    docker rm "$container" > /dev/null
  done
  echo "$service: $count replaced"
done
