{{/*
What docker-compose.yml says of each process, and what its config.ts reads; `pnpm check:helm` compares them.
files: variables whose values are in the Secret, each under the name of its file for compose
sets: variables that the chart sets; reads: those that `env` and `secretEnv` may set
public: the address that leads there
*/}}
{{- define "atrium.processes" -}}
{{- $tracing := list "OTEL_EXPORTER_OTLP_ENDPOINT" "OTEL_EXPORTER_OTLP_HEADERS" "OTEL_EXPORTER_OTLP_COMPRESSION" "OTEL_TRACES_SAMPLER_ARG" "OTEL_RESOURCE_ATTRIBUTES" "TRACE_ACCOUNTS" "TRACE_TRUSTED_NETWORKS" }}
{{- $http := concat $tracing (list "LOG_LEVEL" "RATE_LIMITS" "TRUST_PROXY") }}
{{- $api := concat $http (list "ATRIUM_VERSION" "CORS_ORIGINS" "RATE_LIMIT_PER_ACCOUNT" "RATE_LIMIT_PER_ADDRESS") }}
{{- $bucket := list "S3_BUCKET" "S3_REGION" "S3_ENDPOINT" "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" }}
{{- $webhooks := list "WEBHOOK_ALLOW_HTTP" "WEBHOOK_ALLOWED_NETWORKS" "WEBHOOK_RETRY_DELAYS_MS" }}
{{- $mail := list "SMTP_URL" "MAIL_FROM" "MAIL_RETENTION_DAYS" }}
{{- $accounts := list "ACCESS_TOKEN_TTL_SECONDS" "REFRESH_SLIDING" "SIGNING_KEY_MAX_AGE_DAYS" "ACCOUNT_DELETION_GRACE_DAYS" "AUDIT_RETENTION_DAYS" "OPERATOR_EMAILS" "LOGIN_PROVIDERS" "DEFAULT_PLAN" "UV_THREADPOOL_SIZE" "WEBHOOK_ALLOWED_NETWORKS" }}
{{- $sending := concat $tracing (list "LOG_LEVEL" "WORKER_CONCURRENCY" "WEBHOOK_TIMEOUT_MS" "WEBHOOK_RETENTION_DAYS" "WEBHOOK_ACCOUNT_BACKLOG") }}
{{- with .Values.addresses }}
auth:
  entry: services/auth/src/main.ts
  port: 4001
  metricsPort: 4101
  public: auth
  networks: [edge, services, data]
  files:
    DATABASE_URL: auth_database_url
    REDIS_URL: redis_auth_url
    INTERNAL_SECRET: internal_secret
    SECRETS_KEYS: auth_secrets_keys
    MESSAGE_KEYS: message_keys
  sets: { AUTH_URL: {{ .auth | quote }}, WEB_URL: {{ .web | quote }} }
  reads: {{ concat $api $mail $accounts | toJson }}
notes:
  entry: services/notes/src/main.ts
  port: 4002
  metricsPort: 4102
  public: notes
  networks: [edge, services, data]
  files:
    DATABASE_URL: notes_database_url
    REDIS_URL: redis_notes_url
    MESSAGE_KEYS: message_keys
    {{- if $.Values.readReplica.enabled }}
    DATABASE_READ_URL: notes_database_read_url
    {{- end }}
  sets:
    AUTH_URL: http://auth:4001
    WEB_URL: {{ .web | quote }}
    NOTES_WORKER_URL: http://notes-worker:4006
  reads: {{ concat $api $bucket | toJson }}
  volumes: { FILES_FOLDER: files }
notes-worker:
  entry: services/notes/src/worker.ts
  port: 4006
  metricsPort: 4106
  networks: [edge, services, data]
  files: { DATABASE_URL: notes_database_url, REDIS_URL: redis_notes_url }
  sets: { AUTH_URL: 'http://auth:4001', MALLOC_MMAP_THRESHOLD_: 65536 }
  reads: {{ concat $api $bucket | toJson }}
  volumes: { FILES_FOLDER: files }
links:
  entry: services/links/src/main.ts
  port: 4004
  metricsPort: 4104
  public: links
  networks: [edge, services, data]
  files:
    DATABASE_URL: links_database_url
    REDIS_URL: redis_links_url
    {{- if $.Values.readReplica.enabled }}
    DATABASE_READ_URL: links_database_read_url
    {{- end }}
  sets: { AUTH_URL: 'http://auth:4001', LINKS_URL: {{ .links | quote }} }
  reads: {{ append $api "CLICK_RETENTION_DAYS" | toJson }}
webhook-dispatcher:
  entry: services/webhook-dispatcher/src/main.ts
  port: 4003
  metricsPort: 4103
  public: webhooks
  networks: [edge, services, data]
  files:
    DATABASE_URL: webhooks_database_url
    REDIS_URL: redis_webhooks_url
    CRON_SECRET: cron_secret
    SECRETS_KEYS: webhooks_secrets_keys
    {{- if $.Values.readReplica.enabled }}
    DATABASE_READ_URL: webhooks_database_read_url
    {{- end }}
  sets: { AUTH_URL: 'http://auth:4001', WEB_URL: {{ .web | quote }} }
  reads: {{ concat (append $api "TRACE_URL_TEMPLATE") $webhooks | toJson }}
web:
  entry: services/web/src/main.ts
  port: 4000
  metricsPort: 4100
  public: web
  networks: [edge]
  sets:
    WEB_URL: {{ .web | quote }}
    AUTH_URL: {{ .auth | quote }}
    NOTES_URL: {{ .notes | quote }}
    NOTES_INTERNAL_URL: http://notes:4002
    WEBHOOKS_INTERNAL_URL: http://webhook-dispatcher:4003
    LINKS_URL: {{ .links | quote }}
    WEBHOOKS_URL: {{ .webhooks | quote }}
  reads: {{ append $http "RETURN_ORIGINS" | toJson }}
  volumes: { KEPT_ASSETS_DIR: assets }
worker:
  entry: services/webhook-dispatcher/src/worker.ts
  metricsPort: 4105
  networks: [edge, data]
  files: { DATABASE_URL: webhooks_database_url, REDIS_URL: redis_webhooks_url, SECRETS_KEYS: webhooks_secrets_keys }
  sets: {}
  reads: {{ concat $sending $webhooks | toJson }}
{{- end }}
{{- end }}

{{/* The migrations: the process, and the file of its database's owner. */}}
{{- define "atrium.migrations" -}}
auth: { entry: services/auth/src/migrate.ts, file: auth_migration_url }
notes: { entry: services/notes/src/migrate.ts, file: notes_migration_url }
links: { entry: services/links/src/migrate.ts, file: links_migration_url }
webhooks: { entry: services/webhook-dispatcher/src/migrate.ts, file: webhooks_migration_url }
{{- end }}

{{/* The volumes that there are, by name, with their sizes. */}}
{{- define "atrium.volumes" -}}
{{- with .Values.volumes }}
{{- if not $.Values.env.S3_BUCKET }}
files: {{ required "Attachments need env.S3_BUCKET or volumes.files" .files }}
{{- end }}
{{- with .assets }}
assets: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* `env` with its defaults. */}}
{{- define "atrium.env" -}}
{{- $defaults := dict "TRUST_PROXY" "true" "CORS_ORIGINS" (lower .Values.addresses.web) "ATRIUM_VERSION" (include "atrium.version" .) }}
{{- $env := mergeOverwrite $defaults .Values.env }}
{{- $reads := list }}
{{- range include "atrium.processes" . | fromYaml }}{{ $reads = concat $reads .reads }}{{ end }}
{{- range concat (keys $env) (keys .Values.secretEnv) }}
{{- if not (has . $reads) }}{{ fail (printf "env or secretEnv has %s, which no process reads, or which the chart sets" .) }}{{ end }}
{{- if and (hasKey $env .) (hasKey $.Values.secretEnv .) }}{{ fail (printf "%s is in env and in secretEnv" .) }}{{ end }}
{{- end }}
{{- toYaml $env }}
{{- end }}

{{/* Where the only pod of auth has its emails, if there is no mail server. */}}
{{- define "atrium.mailDir" -}}
{{- $env := include "atrium.env" . | fromYaml }}
{{- if not (or $env.SMTP_URL .Values.secretEnv.SMTP_URL) }}/tmp/mail{{ end }}
{{- end }}

{{- define "atrium.version" -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
