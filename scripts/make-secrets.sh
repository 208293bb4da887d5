#!/bin/sh
# Creates the secrets that docker-compose.yml reads from ./secrets, and keeps existing ones.
# Other users of the host cannot enter the folder. The files themselves must be readable by the
# containers' non-root user, because Compose mounts them with the host's permissions.
set -eu
cd "$(dirname "$0")/.."
mkdir -p secrets
chmod 700 secrets

keep_or_write() {
  [ -s "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"
  chmod 644 "secrets/$1"
}
random_hex() { openssl rand -hex 32; }

keep_or_write postgres_password "$(random_hex)"
keep_or_write cron_secret "$(random_hex)"
keep_or_write internal_secret "$(random_hex)"
keep_or_write secrets_keys "k1:$(openssl rand -base64 32)"
for service in auth notes links webhooks; do
  keep_or_write "${service}_database_url" \
    "postgres://postgres:$(cat secrets/postgres_password)@postgres:5432/atrium_${service}"
done
