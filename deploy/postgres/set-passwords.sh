#!/bin/sh
# Gives the roles the passwords that the secrets have now. It runs in the container, like init.sh:
#   docker compose exec -T postgres sh < deploy/postgres/set-passwords.sh
set -eu

field() { sed -n "s#^postgres://\([^:]*\):\([^@]*\)@.*\$#\\$2#p" "/run/secrets/$1"; }
set_password() { # <role> <password>
  psql --quiet --set=ON_ERROR_STOP=1 --username=postgres --set=role="$1" --set=password="$2" <<'SQL'
ALTER ROLE :"role" PASSWORD :'password';
SQL
}

for service in auth notes links webhooks; do
  for url in "${service}_database_url" "${service}_migration_url"; do
    set_password "$(field "$url" 1)" "$(field "$url" 2)"
  done
done
set_password postgres "$(cat /run/secrets/postgres_password)"
