{{/*
Which paths of which name lead to which Service: `hosts`, each with a list of { service, paths, strip }. A product that
has the name of web gets the paths of deploy/caddy/by-path.caddy, one with a name of its own gets them all.
*/}}
{{- define "atrium.routes" -}}
{{- $hosts := dict }}
{{- $web := include "atrium.host" .Values.addresses.web }}
{{- $paths := dict }}
{{- range regexFindAll "(?m)^\\s*@\\w+ path .+$" (.Files.Get "files/caddy/by-path.caddy") -1 }}
{{- $words := regexSplit "\\s+" (trim .) -1 }}
{{- $_ := set $paths (first $words | trimPrefix "@") (slice $words 2) }}
{{- end }}
{{- range $name, $process := include "atrium.processes" . | fromYaml }}
{{- if .public }}
{{- $url := get $.Values.addresses .public }}
{{- $host := include "atrium.host" $url }}
{{- $routes := get $hosts $host | default list }}
{{- if or (eq .public "web") (ne $host $web) }}
{{- $routes = append $routes (dict "service" $name "paths" (list "/*")) }}
{{- else }}
{{- $routes = append $routes (dict "service" $name "paths" (get $paths .public)) }}
{{- $path := (urlParse $url).path }}
{{- if and (eq .public "links") (not $path) }}{{ fail "addresses.links has the name of web: it must end with /go" }}{{ end }}
{{- with $path }}
{{- $routes = append $routes (dict "service" $name "paths" (list (printf "%s/*" .)) "strip" true) }}
{{- end }}
{{- end }}
{{- if and (eq .public "auth") (ne $host $web) }}
{{- /* For the services, which ask auth directly: web has no such page. */}}
{{- $routes = append $routes (dict "service" "web" "paths" (list "/internal/revoked-sessions" "/internal/access-tokens")) }}
{{- end }}
{{- $_ := set $hosts $host $routes }}
{{- end }}
{{- end }}
{{- toYaml $hosts }}
{{- end }}

{{- define "atrium.host" -}}
{{ regexReplaceAll ":\\d+$" (urlParse .).host "" | lower }}
{{- end }}
