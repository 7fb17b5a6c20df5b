{{/* One rule: given (dict "ports" … "peers" … "direction" "to" or "from"). Without peers it is for all addresses. */}}
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
Public unicast addresses, those that the address guard of webhooks lets through (src/webhooks/guard.ts); the rest is private, link-local,
reserved or for documentation, and 168.63.129.16 serves metadata in a cloud.
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

{{/* Rules for the targets of webhooks besides public addresses, one for each entry of webhooks.allow. Policies cannot contain names: a name's port is open to all addresses, and the address guard decides. */}}
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

{{/* The rules for the connections that pods of a role open: given (dict "root" $ "role" …). */}}
{{- define "touchline.egress" -}}
{{- $values := .root.Values -}}
{{- $policy := $values.networkPolicy -}}
{{- include "touchline.networkRule" (dict "ports" $policy.dns.ports "protocols" (list "UDP" "TCP") "peers" $policy.dns.to "direction" "to") }}
{{- include "touchline.networkRule" (dict "ports" $policy.postgres.ports "peers" $policy.postgres.to "direction" "to") }}
{{- if and $values.kafka.brokers (has .role (list "api" "stream" "relay" "dispatcher")) }}
{{- $ports := list }}
{{- range $values.kafka.brokers }}
{{- $ports = append $ports (regexFind "[0-9]+$" .) }}
{{- end }}
{{- include "touchline.networkRule" (dict "ports" ($policy.kafka.ports | default (uniq $ports)) "peers" $policy.kafka.to "direction" "to") }}
{{- end }}
{{- if and $values.clickhouse.secretName (has .role (list "api" "loader" "jobs")) }}
{{- include "touchline.networkRule" (dict "ports" $policy.clickhouse.ports "peers" $policy.clickhouse.to "direction" "to") }}
{{- end }}
{{- if and $values.accounts.mail.secretName (eq .role "api") }}
{{- include "touchline.networkRule" (dict "ports" $policy.mail.ports "peers" $policy.mail.to "direction" "to") }}
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
{{- /* Open-Meteo, unless the weather comes from elsewhere. */}}
{{- if ne $values.weather.url "off" }}
{{- if not $values.weather.url }}
{{- include "touchline.networkRule" (dict "ports" (list 443) "peers" $public "direction" "to") }}
{{- end }}
{{- range list $values.weather.url $values.weather.archiveUrl }}
{{- with . }}
{{- $port := regexFind ":[0-9]+$" (urlParse .).host | trimPrefix ":" }}
{{- include "touchline.networkRule" (dict "ports" (list ($port | default (ternary 443 80 (hasPrefix "https" .)))) "direction" "to") }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- /* Test events are sent by api. */}}
{{- if has .role (list "api" "dispatcher") }}
{{- include "touchline.networkRule" (dict "ports" (list 443) "peers" $public "direction" "to") }}
{{- include "touchline.allowedWebhooks" .root }}
{{- end }}
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The rules for the connections that reach pods of a role: given as pods are. */}}
{{- define "touchline.ingress" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- if include "touchline.isServed" .role }}
{{- $from := $policy.httpFrom }}
{{- if $from }}
{{- /* `helm test` connects too. */}}
{{- $from = append $from (dict "podSelector" (dict "matchLabels" (include "touchline.selector" (dict "root" .root "role" "test") | fromYaml))) }}
{{- end }}
{{- include "touchline.networkRule" (dict "ports" (list .environment.PORT.value) "peers" $from "direction" "from") }}
{{- end }}
{{- include "touchline.networkRule" (dict "ports" (list .environment.ADMIN_PORT.value) "peers" $policy.adminFrom "direction" "from") }}
{{- with $policy.extraIngress }}
{{ toYaml . }}
{{- end }}
{{- end -}}
