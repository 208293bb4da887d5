#!/bin/sh
# Runs once, in an empty Postgres volume. Each service gets a database and two roles: one owns the
# database and runs the migrations, the other one reads and writes rows. Neither may enter another database.
set -eu

field() { sed -n "s#^postgres://\([^:]*\):\([^@]*\)@[^/]*/\([^?]*\).*\$#\\$2#p" "/run/secrets/$1"; }
run() { psql --quiet --set=ON_ERROR_STOP=1 --username=postgres "$@"; }

# Takes effect when the container starts the server for good, which follows. Each process holds up to 15 connections.
run --command='ALTER SYSTEM SET max_connections = 300' \
  --command='REVOKE CONNECT ON DATABASE postgres FROM PUBLIC' \
  --command='REVOKE CONNECT ON DATABASE template1 FROM PUBLIC'

for service in auth notes links webhooks; do
  run --set=role="$(field "${service}_database_url" 1)" \
    --set=password="$(field "${service}_database_url" 2)" \
    --set=database="$(field "${service}_database_url" 3)" \
    --set=owner="$(field "${service}_migration_url" 1)" \
    --set=owner_password="$(field "${service}_migration_url" 2)" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE ROLE :"owner" LOGIN PASSWORD :'owner_password';
CREATE DATABASE :"database" OWNER :"owner";
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO :"role";
\connect :database
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO :"role";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"role";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT USAGE ON SEQUENCES TO :"role";
SQL
done
