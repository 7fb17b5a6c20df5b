{{/*
How pods reach managed stores: authorities, client certificates, users and tokens. Files are in one projected volume, so that running pods
receive a renewed Secret.
*/}}

{{/* The volume's mount path. */}}
{{- define "touchline.storesPath" -}}
/etc/touchline-stores
{{- end -}}

{{/* Fails on contradictory values. */}}
{{- define "touchline.checkStores" -}}
{{- $values := .Values -}}
{{- range $name, $of := dict "database" $values.database "clickhouse" $values.clickhouse "kafka.tls" $values.kafka.tls -}}
{{- if and $of.caSecretName $of.caConfigMapName -}}
{{- fail (printf "%s: caSecretName and caConfigMapName exclude each other" $name) -}}
{{- end -}}
{{- end -}}
{{- with $values.kafka -}}
{{- if and (not .brokers) (or .topic .tls.enabled .sasl.mechanism) -}}
{{- fail "kafka.topic, kafka.tls and kafka.sasl need kafka.brokers" -}}
{{- end -}}
{{- if and (not .tls.enabled) (or .tls.caSecretName .tls.caConfigMapName .tls.certSecretName .tls.certSecretNames) -}}
{{- fail "kafka.tls: set enabled, or take the names of its files away" -}}
{{- end -}}
{{- with .sasl -}}
{{- if and (not .mechanism) (or .secretName .secretNames .username .tokenAudience) -}}
{{- fail "kafka.sasl.mechanism is required with its other values" -}}
{{- end -}}
{{- if and (eq .mechanism "oauthbearer") (not .secretName) (not .tokenAudience) -}}
{{- fail "kafka.sasl: oauthbearer needs tokenAudience, or secretName" -}}
{{- end -}}
{{- if and .mechanism (ne .mechanism "oauthbearer") (not .secretName) -}}
{{- fail (printf "kafka.sasl.secretName is required with %s" .mechanism) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* "true" if a role's pods use Kafka or ClickHouse; otherwise empty. Commands run in any such pod, but not in the migration. */}}
{{- define "touchline.usesKafka" -}}
{{- if and .root.Values.kafka.brokers (ne .role "migrate") -}}
true
{{- end -}}
{{- end -}}
{{- define "touchline.usesClickhouseCa" -}}
{{- $of := .root.Values.clickhouse -}}
{{- if and $of.secretName (or $of.caSecretName $of.caConfigMapName) (has .role (list "api" "loader" "jobs")) -}}
true
{{- end -}}
{{- end -}}

{{/* Sets environment variables in the map .out, each as an entry in `env` without the name; given (dict "root" $ "role" "api" "out" …). */}}
{{- define "touchline.storesEnvironment" -}}
{{- include "touchline.checkStores" .root -}}
{{- $path := include "touchline.storesPath" . -}}
{{- $out := .out -}}
{{- $role := .role -}}
{{- if include "touchline.usesClickhouseCa" . -}}
{{- $_ := set $out "CLICKHOUSE_CA_FILE" (dict "value" (printf "%s/clickhouse/ca.crt" $path)) -}}
{{- end -}}
{{- if include "touchline.usesKafka" . -}}
{{- with .root.Values.kafka.rackLabel -}}
{{- $_ := set $out "KAFKA_RACK" (dict "valueFrom" (dict "fieldRef" (dict "fieldPath" (printf "metadata.labels['%s']" .)))) -}}
{{- end -}}
{{- with .root.Values.kafka.tls -}}
{{- if .enabled -}}
{{- $_ := set $out "KAFKA_TLS" (dict "value" "1") -}}
{{- if or .caSecretName .caConfigMapName -}}
{{- $_ := set $out "KAFKA_CA_FILE" (dict "value" (printf "%s/kafka/ca.crt" $path)) -}}
{{- end -}}
{{- if index .certSecretNames $role | default .certSecretName -}}
{{- $_ := set $out "KAFKA_CERT_FILE" (dict "value" (printf "%s/kafka/tls.crt" $path)) -}}
{{- $_ := set $out "KAFKA_KEY_FILE" (dict "value" (printf "%s/kafka/tls.key" $path)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with .root.Values.kafka.sasl -}}
{{- if .mechanism -}}
{{- $_ := set $out "KAFKA_SASL" (dict "value" .mechanism) -}}
{{- if eq .mechanism "oauthbearer" -}}
{{- $_ := set $out "KAFKA_TOKEN_FILE" (dict "value" (printf "%s/kafka/token" $path)) -}}
{{- else -}}
{{- $_ := set $out "KAFKA_PASSWORD_FILE" (dict "value" (printf "%s/kafka/password" $path)) -}}
{{- if .username -}}
{{- $_ := set $out "KAFKA_USERNAME" (dict "value" .username) -}}
{{- else -}}
{{- $_ := set $out "KAFKA_USERNAME" (dict "valueFrom" (dict "secretKeyRef" (dict "name" (index .secretNames $role | default .secretName) "key" .usernameKey))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The sources for the volume that a store's values name, as a YAML list; given (dict "of" … "folder" "kafka" "role" …). */}}
{{- define "touchline.tlsSources" -}}
{{- $folder := .folder -}}
{{- $role := .role -}}
{{- with .of -}}
{{- $ca := dict "items" (list (dict "key" .caKey "path" (printf "%s/ca.crt" $folder))) -}}
{{- if .caSecretName }}
- {{ toYaml (dict "secret" (set $ca "name" .caSecretName)) | nindent 2 | trim }}
{{- else if .caConfigMapName }}
- {{ toYaml (dict "configMap" (set $ca "name" .caConfigMapName)) | nindent 2 | trim }}
{{- end }}
{{- with index (.certSecretNames | default dict) $role | default .certSecretName }}
{{- $of := $.of }}
{{- $items := list (dict "key" $of.certKey "path" (printf "%s/tls.crt" $folder)) (dict "key" $of.keyKey "path" (printf "%s/tls.key" $folder)) }}
- {{ toYaml (dict "secret" (dict "name" . "items" $items)) | nindent 2 | trim }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "touchline.saslSources" -}}
{{- $role := .role -}}
{{- with .root.Values.kafka.sasl -}}
{{- if and (eq .mechanism "oauthbearer") .tokenAudience }}
- serviceAccountToken:
    audience: {{ .tokenAudience | quote }}
    expirationSeconds: {{ .tokenExpirationSeconds }}
    path: kafka/token
{{- else if .mechanism }}
{{- $isToken := eq .mechanism "oauthbearer" }}
- secret:
    name: {{ index .secretNames $role | default .secretName | quote }}
    items:
      - { key: {{ ternary .tokenKey .passwordKey $isToken | quote }}, path: kafka/{{ ternary "token" "password" $isToken }} }
{{- end }}
{{- end -}}
{{- end -}}

{{/* Sets in the map .out the volume and its mount, by name. Sets nothing if no store needs files. Given like storesEnvironment, with "environment" in addition. */}}
{{- define "touchline.storesVolumes" -}}
{{- $values := .root.Values -}}
{{- $sources := include "touchline.tlsSources" (dict "of" $values.database "folder" "database" "role" .role) | fromYamlArray -}}
{{- if include "touchline.usesClickhouseCa" . -}}
{{- $sources = concat $sources (include "touchline.tlsSources" (dict "of" $values.clickhouse "folder" "clickhouse" "role" .role) | fromYamlArray) -}}
{{- end -}}
{{- if include "touchline.usesKafka" . -}}
{{- $sources = concat $sources (include "touchline.tlsSources" (dict "of" $values.kafka.tls "folder" "kafka" "role" .role) | fromYamlArray) -}}
{{- $sources = concat $sources (include "touchline.saslSources" . | fromYamlArray) -}}
{{- end -}}
{{- range $name, $of := include "touchline.fileSecrets" (dict "root" .root "environment" (.environment | default dict)) | fromJson -}}
{{- $sources = append $sources (dict "secret" (dict "name" $of.name "items" (list (dict "key" $of.key "path" $of.path)))) -}}
{{- end -}}
{{- if $sources -}}
{{- $_ := set .out "stores" (dict "mountPath" (include "touchline.storesPath" .) "volume" (dict "projected" (dict "sources" $sources))) -}}
{{- end -}}
{{- end -}}
