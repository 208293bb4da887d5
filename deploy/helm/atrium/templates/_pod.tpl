{{/* Of root and name: what selects the pods of a process. */}}
{{- define "atrium.selector" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{- define "atrium.labels" -}}
{{ include "atrium.selector" . }}
app.kubernetes.io/part-of: atrium
app.kubernetes.io/version: {{ include "atrium.version" .root | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* Of root, name and networks: a pod is in a network by its label. */}}
{{- define "atrium.podLabels" -}}
{{ include "atrium.labels" . }}
{{- range .networks }}
atrium/network-{{ . }}: member
{{- end }}
{{- end }}

{{/* Of root, name and user. No pod has root, capabilities, a file system to write to or the Kubernetes API. */}}
{{- define "atrium.podSecurity" -}}
enableServiceLinks: false
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.pod }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "atrium.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Of root, name, user, entry, env, files (variable to file of the Secret), reads, mounts (variable to volume),
resources, and container, which has the rest. */}}
{{- define "atrium.podSpec" -}}
{{- $values := .root.Values }}
{{- $sources := dict }}
{{- range $variable, $file := .files }}
{{- $other := get $values.secrets.others $file | default dict }}
{{- $_ := dict "name" $values.secrets.name "key" $file | merge $other | set $sources $variable }}
{{- end }}
{{- range $variable := .reads }}
{{- with get $values.secretEnv $variable }}{{ $_ := set $sources $variable . }}{{ end }}
{{- end }}
{{ include "atrium.podSecurity" . }}
containers:
  - name: {{ .name }}
    image: {{ printf "%s:%s" $values.image.repository (include "atrium.version" .root) | quote }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    command: [node, {{ .entry }}]
    env:
      {{- range $variable, $value := .env }}
      {{- /* Otherwise a million is 1e+06. A fraction stays one. */}}
      {{- $isWhole := and (kindIs "float64" $value) (eq (floor $value) $value) }}
      {{- $text := $isWhole | ternary (int64 $value) $value | toString }}
      - { name: {{ $variable }}, value: {{ $text | quote }} }
      {{- end }}
      {{- range $variable, $_ := $sources }}
      - { name: {{ $variable }}_FILE, value: /run/secrets/{{ $variable | lower }} }
      {{- end }}
      {{- range $variable, $volume := .mounts }}
      - { name: {{ $variable }}, value: /var/lib/atrium/{{ $volume }} }
      {{- end }}
      {{- with $values.certificates.secret }}
      - { name: NODE_EXTRA_CA_CERTS, value: /etc/atrium/ca.crt }
      {{- end }}
    {{- with .container }}
    {{- . | nindent 4 }}
    {{- end }}
    resources: {{ toYaml .resources | nindent 6 }}
    {{- include "atrium.containerSecurity" . | nindent 4 }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if $sources }}
      - { name: secrets, mountPath: /run/secrets, readOnly: true }
      {{- end }}
      {{- range .mounts }}
      - { name: {{ . }}, mountPath: /var/lib/atrium/{{ . }} }
      {{- end }}
      {{- with $values.certificates.secret }}
      - { name: certificates, mountPath: /etc/atrium, readOnly: true }
      {{- end }}
volumes:
  - { name: tmp, emptyDir: {} }
  {{- with $sources }}
  - name: secrets
    projected:
      defaultMode: 288 # 0440
      sources:
        {{- range $variable, $source := . }}
        - secret:
            name: {{ $source.name }}
            items: [{ key: {{ $source.key | quote }}, path: {{ $variable | lower }} }]
        {{- end }}
  {{- end }}
  {{- with $values.certificates }}
  {{- if .secret }}
  - name: certificates
    secret: { secretName: {{ .secret | quote }}, items: [{ key: {{ .key | quote }}, path: ca.crt }] }
  {{- end }}
  {{- end }}
  {{- range .mounts }}
  - { name: {{ . }}, persistentVolumeClaim: { claimName: {{ . }} } }
  {{- end }}
{{- end }}

{{/*
Of a process: ports and probes. The worker answers probes on its metrics port. A pod gets requests once it has been
ready: without Redis or Postgres all pods would be unready, and nobody would get what they still answer.
*/}}
{{- define "atrium.container" -}}
{{- $port := ternary "http" "metrics" (hasKey . "port") -}}
ports:
  {{- with .port }}
  - { name: http, containerPort: {{ . }} }
  {{- end }}
  - { name: metrics, containerPort: {{ .metricsPort }} }
{{- with .port }}
# It refuses connections from SIGTERM on: first the others must know that it is leaving.
lifecycle: { preStop: { sleep: { seconds: 5 } } }
{{- end }}
# An hour: a pod that is killed during an outage of Redis or Postgres would start into the same outage. Nobody sends
# requests to a worker, so it has started once it answers.
startupProbe: { httpGet: { path: {{ ternary "/readyz" "/livez" (hasKey . "port") }}, port: {{ $port }} }, periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 1800 }
livenessProbe: { httpGet: { path: /livez, port: {{ $port }} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
readinessProbe: { httpGet: { path: {{ ternary "/livez" "/readyz" (hasKey . "port") }}, port: {{ $port }} }, periodSeconds: 5, timeoutSeconds: 3 }
{{- end }}
