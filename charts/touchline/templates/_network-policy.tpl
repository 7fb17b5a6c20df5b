{{/* One rule; given (dict "ports" … "peers" … "direction" "to" or "from"). Without peers the rule applies to all addresses. */}}
{{- define "touchline.networkRule" -}}
- ports:
    {{- range $port := .ports }}
    {{- range $.protocols | default (list "TCP") }}
    - { protocol: {{ . }}, port: {{ int $port }} }
    {{- end }}
    {{- end }}
  {{- with .peers }}
  {{ $.direction }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{ end -}}

{{/*
Public unicast addresses, which the webhook address guard allows (src/outbound/address-guard.ts). All other addresses are
private, link-local, reserved or for documentation. 168.63.129.16 is also left out, because it serves metadata in a cloud.
*/}}
{{- define "touchline.publicPeers" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except:
      {{- range list "0.0.0.0/8" "10.0.0.0/8" "100.64.0.0/10" "127.0.0.0/8" "168.63.129.16/32" "169.254.0.0/16" "172.16.0.0/12" "192.0.0.0/24" "192.0.2.0/24" "192.31.196.0/24" "192.52.193.0/24" "192.88.99.0/24" "192.168.0.0/16" "192.175.48.0/24" "198.18.0.0/15" "198.51.100.0/24" "203.0.113.0/24" "224.0.0.0/4" "240.0.0.0/4" }}
      - {{ . }}
      {{- end }}
- ipBlock:
    cidr: 2000::/3
    except:
      {{- range list "2001::/23" "2001:db8::/32" "2002::/16" "2620:4f:8000::/48" "3fff::/20" }}
      - {{ . }}
      {{- end }}
{{- end -}}

{{/*
A store's ports, as JSON; given (dict "root" $ "given" … "entry" … "usual" … "byScheme" …). If the values contain ports, those are used.
Otherwise the ports are read from the store's address. The address is the text in the environment variable, or in a Secret, if Helm has a
cluster to ask and the Secret exists. If the address is unknown, the usual ports are used.
*/}}
{{- define "touchline.storePorts" -}}
{{- $ports := list -}}
{{- $address := "" -}}
{{- if .given -}}
{{- $ports = .given -}}
{{- else if (.entry | default dict).value -}}
{{- $address = .entry.value -}}
{{- else -}}
{{- with ((.entry | default dict).valueFrom | default dict).secretKeyRef -}}
{{- $secret := lookup "v1" "Secret" $.root.Release.Namespace .name | default dict -}}
{{- $address = index ($secret.data | default dict) .key | default "" | b64dec -}}
{{- end -}}
{{- end -}}
{{- if regexMatch "^[a-z]+://[^/?#]" $address -}}
{{- $scheme := regexFind "^[a-z]+" $address -}}
{{- range regexReplaceAll "[/?#].*$" (regexReplaceAll "^[a-z]+://([^/?#]*@)?" $address "") "" | trim | splitList "," -}}
{{- $port := regexFind ":[0-9]+$" . | trimPrefix ":" | default (index $.byScheme $scheme) -}}
{{- if and $port (not (regexMatch ":\\$\\(.*\\)$" .)) -}}
{{- $ports = append $ports (int $port) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $ports | uniq | default .usual | toJson -}}
{{- end -}}

{{/* Rules for webhook targets besides public addresses, one for each entry in webhooks.allow. Policies cannot contain names, so a name's port is open to all addresses, and the address guard decides. */}}
{{- define "touchline.allowedWebhooks" -}}
{{- range .Values.webhooks.allow }}
{{- $plain := hasPrefix "http://" (lower .) -}}
{{- $address := regexReplaceAll "^[a-zA-Z]+://" . "" -}}
{{- $port := regexFind ":([0-9]+|\\*)$" $address | trimPrefix ":" -}}
{{- $host := regexReplaceAll ":([0-9]+|\\*)$" $address "" -}}
{{- if hasPrefix "[" $address -}}
{{- $host = regexFind "^\\[[^\\]]*" $address | trimPrefix "[" -}}
{{- $port = regexFind "\\]:([0-9]+|\\*)$" $address | trimPrefix "]:" -}}
{{- end -}}
{{- $isNetwork := or (contains ":" $host) (regexMatch "^[0-9.]+(/[0-9]+)?$" $host) -}}
{{- if and (eq $port "*") (not $isNetwork) -}}
{{- fail (printf "webhooks.allow: with networkPolicy.enabled, %s would let dispatchers reach every port of every address: give a port, or a network instead of the name" .) -}}
{{- end -}}
{{- if and $isNetwork (not (contains "/" $host)) -}}
{{- $host = printf "%s/%s" $host (ternary "128" "32" (contains ":" $host)) -}}
{{- end -}}
{{- $peers := ternary (list (dict "ipBlock" (dict "cidr" $host))) list $isNetwork -}}
{{- if eq $port "*" }}
- to:
    {{- toYaml $peers | nindent 4 }}
{{ else }}
{{ include "touchline.networkRule" (dict "ports" (list ($port | default (ternary 80 443 $plain))) "peers" $peers "direction" "to") }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Rules for the connections that a role's pods open; given (dict "root" $ "role" … "environment" …). */}}
{{- define "touchline.egress" -}}
{{- $values := .root.Values -}}
{{- $policy := $values.networkPolicy -}}
{{- include "touchline.networkRule" (dict "ports" $policy.dns.ports "protocols" (list "UDP" "TCP") "peers" $policy.dns.to "direction" "to") }}
{{- $postgres := dict "given" $policy.postgres.ports "entry" .environment.DATABASE_URL "usual" (list 5432 6432) "byScheme" (dict "postgresql" 5432 "postgres" 5432) }}
{{- $postgresPorts := include "touchline.storePorts" (set $postgres "root" .root) | fromJsonArray }}
{{- with .environment.DATABASE_READ_URL }}
{{- $postgresPorts = concat $postgresPorts (include "touchline.storePorts" (set $postgres "entry" .) | fromJsonArray) | uniq }}
{{- end }}
{{- include "touchline.networkRule" (dict "ports" $postgresPorts "peers" $policy.postgres.to "direction" "to") }}
{{- if and $values.kafka.brokers (has .role (list "api" "stream" "relay" "dispatcher")) }}
{{- $ports := list }}
{{- range $values.kafka.brokers }}
{{- $ports = append $ports (regexFind "[0-9]+$" .) }}
{{- end }}
{{- include "touchline.networkRule" (dict "ports" ($policy.kafka.ports | default (uniq $ports)) "peers" $policy.kafka.to "direction" "to") }}
{{- end }}
{{- if and $values.clickhouse.secretName (has .role (list "api" "loader" "jobs")) }}
{{- $clickhouse := dict "given" $policy.clickhouse.ports "entry" .environment.CLICKHOUSE_URL "usual" (list 8123 8443) "byScheme" (dict "http" 80 "https" 443) }}
{{- $clickhousePorts := include "touchline.storePorts" (set $clickhouse "root" .root) | fromJsonArray }}
{{- include "touchline.networkRule" (dict "ports" $clickhousePorts "peers" $policy.clickhouse.to "direction" "to") }}
{{- end }}
{{- if and $values.accounts.mail.secretName (eq .role "api") }}
{{- $mail := dict "given" $policy.mail.ports "entry" .environment.SMTP_URL "usual" (list 587 465 25) "byScheme" (dict "smtp" 587 "smtps" 465) }}
{{- $mailPorts := include "touchline.storePorts" (set $mail "root" .root) | fromJsonArray }}
{{- include "touchline.networkRule" (dict "ports" $mailPorts "peers" $policy.mail.to "direction" "to") }}
{{- end }}
{{- if include "touchline.traces" . }}
{{- $endpoint := $values.tracing.endpoint }}
{{- $port := regexFind ":[0-9]+$" (urlParse $endpoint).host | trimPrefix ":" }}
{{- include "touchline.networkRule" (dict "ports" (list ($port | default (ternary 443 80 (hasPrefix "https" $endpoint)))) "peers" $policy.collector.to "direction" "to") }}
{{- end }}
{{- if eq .role "operator" }}
{{- include "touchline.networkRule" (dict "ports" $policy.apiServer.ports "peers" $policy.apiServer.to "direction" "to") }}
{{- end }}
{{- $public := include "touchline.publicPeers" . | fromYamlArray }}
{{- if eq .role "jobs" }}
{{- /* For Open-Meteo, if the weather comes from there, and for the polled sources. */}}
{{- if or (not $values.weather.url) .environment.PROVIDERS (and $values.roles.operator.enabled $values.operator.tenancy.enabled) }}
{{- include "touchline.networkRule" (dict "ports" (list 443) "peers" $public "direction" "to") }}
{{- end }}
{{- if ne $values.weather.url "off" }}
{{- range list $values.weather.url $values.weather.archiveUrl }}
{{- with . }}
{{- $port := regexFind ":[0-9]+$" (urlParse .).host | trimPrefix ":" }}
{{- include "touchline.networkRule" (dict "ports" (list ($port | default (ternary 443 80 (hasPrefix "https" .)))) "direction" "to") }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- /* The role api sends test events, and jobs may send the tags of changed pages. */}}
{{- $sends := has .role (list "api" "dispatcher") }}
{{- if or $sends (and (eq .role "jobs") $values.cachePurge.url) }}
{{- /* The other ports are those of MQTT and Kafka, as in src/webhooks/destinations/mqtt.ts and kafka.ts. */}}
{{- $ports := ternary (list 443 8883 8884 8886 9092 9093 9094 9095 9096 9097 9098) (list 443) $sends }}
{{- include "touchline.networkRule" (dict "ports" $ports "peers" $public "direction" "to") }}
{{- include "touchline.allowedWebhooks" .root }}
{{- end }}
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Rules for the connections to a role's pods; given like the rules above. */}}
{{- define "touchline.ingress" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- if include "touchline.isServed" .role }}
{{- $from := $policy.httpFrom }}
{{- if $from }}
{{- /* The pod for `helm test` connects too. */}}
{{- $from = append $from (dict "podSelector" (dict "matchLabels" (include "touchline.selector" (dict "root" .root "role" "test") | fromYaml))) }}
{{- end }}
{{- include "touchline.networkRule" (dict "ports" (list .environment.PORT.value) "peers" $from "direction" "from") }}
{{- end }}
{{- include "touchline.networkRule" (dict "ports" (list .environment.ADMIN_PORT.value) "peers" $policy.adminFrom "direction" "from") }}
{{- with $policy.extraIngress }}
{{ toYaml . }}
{{- end }}
{{- end -}}
