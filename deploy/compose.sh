# Sourced by the other scripts: `compose` is Compose 2, or Compose 1 where there is no other.
compose() {
  if docker compose version > /dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}

# Runs a program of the Postgres container as its superuser.
in_postgres() {
  compose exec -T postgres sh -c \
    'PGUSER=postgres PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE") exec "$@"' sh "$@"
}
