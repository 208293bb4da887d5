#!/bin/sh
# Creates the secrets that docker-compose.yml reads from ./secrets, and keeps existing ones: before the first
# start and before each new version.
# Other users of the host cannot enter the folder. The files themselves must be readable by the
# containers' non-root user, because Compose mounts them with the host's permissions.
set -eu
cd "$(dirname "$0")/.."
mkdir -p secrets
chmod 700 secrets

# <file> <encoding> [<before> [<after>]]: assigned first, as `set -e` does not see a failure within an argument.
keep_or_write() {
  if [ ! -s "secrets/$1" ]; then
    random=$(openssl rand "-$2" 32)
    printf '%s' "${3-}$random${4-}" > "secrets/$1"
  fi
  chmod 644 "secrets/$1"
}

keep_or_write postgres_password hex
keep_or_write cron_secret hex
keep_or_write internal_secret hex
keep_or_write auth_secrets_keys base64 k1:
keep_or_write webhooks_secrets_keys base64 k1:
keep_or_write message_keys base64 k1:
for service in auth notes links webhooks; do
  database="@postgres:5432/atrium_$service"
  keep_or_write "${service}_database_url" hex "postgres://atrium_$service:" "$database"
  keep_or_write "${service}_migration_url" hex "postgres://atrium_${service}_owner:" "$database"
  keep_or_write "redis_${service}_url" hex "redis://$service:" @redis:6379
done
# Follows from the others and from the version. Written in place: a new file would not reach a Redis that runs.
acl=$(sh deploy/redis/acl.sh)
if [ "$acl" != "$(cat secrets/redis_acl 2> /dev/null)" ]; then
  [ ! -s secrets/redis_acl ] ||
    echo 'secrets/redis_acl has changed. Redis reads it when it starts: docker compose restart redis'
  printf '%s\n' "$acl" > secrets/redis_acl
fi
chmod 644 secrets/redis_acl
