# Sourced by the other scripts: `compose` is Compose 2, or Compose 1 where there is no other.
compose() {
  if docker compose version > /dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}

# Runs a program of the Postgres container as its superuser.
in_postgres() {
  compose exec -T postgres sh -c \
    'PGUSER=postgres PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE") exec "$@"' sh "$@"
}

# Exits if the database of a service is on another server: what Postgres of Compose then has is old.
require_own_postgres() {
  for service in auth notes links webhooks; do
    url=secrets/${service}_database_url
    # Migrations go past a pooler.
    if grep -q 'pgbouncer=true' "$url"; then url=secrets/${service}_migration_url; fi
    if ! grep -q '@postgres[:/]' "$url"; then
      echo "$url names another server than postgres of docker-compose.yml:" \
        'use its own tools (pg_dump, pgBackRest)' >&2
      exit 1
    fi
  done
}
