{{/*
A container's environment is merged by name, since no name may occur twice. It is a map from NAME to the rest of the manifest's entry,
which is (dict "value" …) or (dict "valueFrom" …).
*/}}

{{- define "touchline.setSecret" -}}
{{- $_ := set .out .name (dict "valueFrom" (dict "secretKeyRef" (dict "name" .secretName "key" .key))) -}}
{{- end -}}

{{/* Sets in .out the environment variables that the chart itself gives a role. */}}
{{- define "touchline.chartEnvironment" -}}
{{- $values := .root.Values -}}
{{- $config := $values.config -}}
{{- $out := .out -}}
{{- $texts := dict
  "HOST" "0.0.0.0"
  "PORT" "8080"
  "ADMIN_PORT" "9090"
  "DATA_DIR" "/tmp/touchline"
  "BASE_URL" $values.baseUrl
  "ALLOWED_HOSTS" (join "," (append $config.allowedHosts (include "touchline.host" .root)))
  "TRUSTED_PROXIES" (join "," $config.trustedProxies)
  "KAFKA_BROKERS" (join "," $values.kafka.brokers)
  "PUBLIC_SITE" (ternary "1" "0" $config.publicSite)
  "STRICT" (ternary "1" "0" $config.strict)
  "LOG_LEVEL" $config.logLevel
-}}
{{- with $values.kafka.topic -}}
{{- $_ := set $texts "KAFKA_TOPIC" . -}}
{{- end -}}
{{- if include "touchline.isServed" .role -}}
{{- $_ := set $texts "DRAIN_DELAY_SECONDS" (toString $values.drain.delaySeconds) -}}
{{- end -}}
{{- if eq .role "stream" -}}
{{- $_ := set $texts "DRAIN_SPREAD_SECONDS" (toString $values.drain.spreadSeconds) -}}
{{- end -}}
{{- if has .role (list "stream" "ingest") -}}
{{- $_ := set $texts "NODE_OPTIONS" "--max-semi-space-size=8" -}}
{{- end -}}
{{- if eq .role "operator" -}}
{{- include "touchline.put" (dict "into" $texts "from" (dict
  "OPERATOR_INSTALLATION" (include "touchline.fullname" .root)
  "OPERATOR_NAMESPACES" (join "," $values.operator.namespaces)
  "OPERATOR_SECRETS" (include "touchline.operatorSecrets" .root | fromJsonArray | join ",")
  "OPERATOR_DEDICATED" (ternary "1" "0" $values.operator.dedicated)
  "OPERATOR_TENANCY" (ternary "1" "0" $values.operator.tenancy.enabled)
  "OPERATOR_REQUIRE_ACCOUNTS" (ternary "1" "0" $values.operator.tenancy.requireAccounts)
  "OPERATOR_DEPLOYMENT" (printf "%s-operator" (include "touchline.fullname" .root))
  "DISPATCHERS_MIN" (toString $values.webhooks.dispatchersMin)
  "DISPATCHERS_MAX" (toString $values.webhooks.dispatchersMax)
  "SUBSCRIPTIONS_PER_DISPATCHER" (toString $values.webhooks.subscriptionsPerDispatcher)
  "DISPATCHERS_AUTOSCALED" (ternary "1" "0" (eq (include "touchline.isScaled" (dict "root" .root "role" "dispatcher")) "true"))
)) -}}
{{- if $values.roles.dispatcher.enabled -}}
{{- $_ := set $texts "DISPATCHER_TEMPLATE_FILE" "/etc/touchline/dispatcher.yaml" -}}
{{- end -}}
{{- end -}}
{{- if eq .role "api" -}}
{{- include "touchline.put" (dict "into" $texts "from" (dict
  "SIGNUP" $values.accounts.signUp
  "CONTACT_URL" $values.accounts.contactUrl
  "MAIL_FROM" $values.accounts.mail.from
  "OIDC_ISSUER" $values.accounts.singleSignOn.issuer
  "OIDC_CLIENT_ID" $values.accounts.singleSignOn.clientId
  "SECURITY_CONTACT" (join "," $values.config.securityContacts)
)) -}}
{{- end -}}
{{- if eq .role "jobs" -}}
{{- include "touchline.put" (dict "into" $texts "from" (dict
  "WEATHER_URL" $values.weather.url
  "WEATHER_ARCHIVE_URL" $values.weather.archiveUrl
  "WEATHER_DAILY_REQUESTS" (toString $values.weather.dailyRequests)
  "CACHE_PURGE_URL" $values.cachePurge.url
)) -}}
{{- end -}}
{{- /* The migration runs before the ConfigMap exists, and does not read the plans. */ -}}
{{- if and $values.plans (ne .role "migrate") -}}
{{- $_ := set $texts "PLANS_FILE" "/etc/touchline-plans/plans.yaml" -}}
{{- end -}}
{{- if has .role (list "api" "dispatcher" "jobs" "operator") -}}
{{- $_ := set $texts "WEBHOOK_ALLOW" (join "," $values.webhooks.allow) -}}
{{- end -}}
{{- if and (has .role (list "api" "dispatcher" "jobs")) $values.webhooks.caConfigMapName -}}
{{- $_ := set $texts "NODE_EXTRA_CA_CERTS" (printf "/etc/touchline/ca/%s" $values.webhooks.caKey) -}}
{{- end -}}
{{- /* ingest names positions that the replicas of api have to reach. */}}
{{- if and $values.database.readUrl (has .role (list "api" "ingest")) -}}
{{- $_ := set $texts "DATABASE_READ_URL" $values.database.readUrl -}}
{{- end -}}
{{- if include "touchline.traces" . -}}
{{- include "touchline.put" (dict "into" $texts "from" (dict
  "OTEL_EXPORTER_OTLP_ENDPOINT" $values.tracing.endpoint
  "OTEL_TRACES_SAMPLER" "parentbased_traceidratio"
  "OTEL_TRACES_SAMPLER_ARG" (toString $values.tracing.sampleRatio)
)) -}}
{{- end -}}
{{- range $name, $text := $texts -}}
{{- $_ := set $out $name (dict "value" $text) -}}
{{- end -}}
{{- range $name, $path := dict "POD_NAME" "metadata.name" "POD_NAMESPACE" "metadata.namespace" -}}
{{- $_ := set $out $name (dict "valueFrom" (dict "fieldRef" (dict "fieldPath" $path))) -}}
{{- end -}}
{{- include "touchline.chartSecrets" . -}}
{{- include "touchline.storesEnvironment" . -}}
{{- end -}}

{{- define "touchline.chartSecrets" -}}
{{- $values := .root.Values -}}
{{- $out := .out -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "DATABASE_URL" "secretName" (index $values.database.secretNames .role | default $values.database.secretName) "key" $values.database.secretKey) -}}
{{- if and $values.database.secretNames.corrections (eq .role "api") -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "DATABASE_CORRECTIONS_URL" "secretName" $values.database.secretNames.corrections "key" $values.database.secretKey) -}}
{{- end -}}
{{- if has .role (list "api" "dispatcher" "operator" "ingest") -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "SECRET_KEY" "secretName" $values.secrets.secretName "key" $values.secrets.secretKeyKey) -}}
{{- end -}}
{{- if eq .role "ingest" -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "FEED_TOKEN" "secretName" $values.secrets.secretName "key" $values.secrets.feedTokenKey) -}}
{{- end -}}
{{- if and $values.tracing.headers.secretName (include "touchline.traces" .) -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "OTEL_EXPORTER_OTLP_HEADERS" "secretName" $values.tracing.headers.secretName "key" $values.tracing.headers.secretKey) -}}
{{- end -}}
{{- if eq .role "jobs" -}}
{{- with $values.weather.apiKeySecretName -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "WEATHER_API_KEY" "secretName" . "key" $values.weather.apiKeySecretKey) -}}
{{- end -}}
{{- with $values.cachePurge.headerSecretName -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "CACHE_PURGE_HEADER" "secretName" . "key" $values.cachePurge.headerSecretKey) -}}
{{- end -}}
{{- end -}}
{{- if and $values.accounts.mail.secretName (eq .role "api") -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "SMTP_URL" "secretName" $values.accounts.mail.secretName "key" $values.accounts.mail.secretKey) -}}
{{- end -}}
{{- if and $values.accounts.singleSignOn.secretName (eq .role "api") -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "OIDC_CLIENT_SECRET" "secretName" $values.accounts.singleSignOn.secretName "key" $values.accounts.singleSignOn.secretKey) -}}
{{- end -}}
{{- if and $values.clickhouse.secretName (has .role (list "api" "loader" "jobs")) -}}
{{- include "touchline.setSecret" (dict "out" $out "name" "CLICKHOUSE_URL" "secretName" $values.clickhouse.secretName "key" $values.clickhouse.secretKey) -}}
{{- end -}}
{{- end -}}

{{/* Sets in .out the environment variables from a map in the values. Each value is a text, a number, a flag, { value: … }, { valueFrom: … }, or null, which removes a variable. */}}
{{- define "touchline.userEnvironment" -}}
{{- $out := .out -}}
{{- range $name, $given := .from -}}
{{- if has $name (list "true" "false") -}}
{{- fail (printf "env: YAML has read the name of a variable as %s, as it reads Y, N, YES, NO, ON and OFF: put the name in quotes" $name) -}}
{{- end -}}
{{- $value := $given -}}
{{- if and (kindIs "map" $given) (hasKey $given "value") -}}
{{- $value = $given.value -}}
{{- end -}}
{{- if kindIs "invalid" $value -}}
{{- $_ := unset $out $name -}}
{{- else if kindIs "map" $value -}}
{{- $_ := set $out $name $value -}}
{{- else -}}
{{- $_ := set $out $name (dict "value" (kindIs "string" $value | ternary $value (toJson $value))) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Sets in .out the whole environment for a role, or for the migration. A role's variables override those for all roles, which override the chart's. */}}
{{- define "touchline.environment" -}}
{{- $values := .root.Values -}}
{{- include "touchline.chartEnvironment" . -}}
{{- include "touchline.userEnvironment" (dict "out" .out "from" $values.config.env) -}}
{{- $own := dict -}}
{{- if eq .role "migrate" -}}
{{- with $values.migrate.database -}}
{{- if .secretName -}}
{{- include "touchline.setSecret" (dict "out" $.out "name" "DATABASE_URL" "secretName" .secretName "key" .secretKey) -}}
{{- end -}}
{{- end -}}
{{- $own = $values.migrate.env -}}
{{- else -}}
{{- $own = (index $values.roles .role).env -}}
{{- end -}}
{{- include "touchline.userEnvironment" (dict "out" .out "from" $own) -}}
{{- end -}}

{{/* The variables that pods can read from files, with the files' paths below the stores' mount, as a YAML map. */}}
{{- define "touchline.filePaths" -}}
DATABASE_URL: database/url
DATABASE_CORRECTIONS_URL: database/corrections-url
CLICKHOUSE_URL: clickhouse/url
KAFKA_USERNAME: kafka/username
{{- end -}}

{{/* Variables in an environment that pods read from files, as a JSON map from NAME to (dict "name" "key" "path"); given (dict "root" $ "environment" …). */}}
{{- define "touchline.fileSecrets" -}}
{{- $found := dict -}}
{{- if .root.Values.secrets.storesAsFiles -}}
{{- range $name, $path := include "touchline.filePaths" . | fromYaml -}}
{{- with ((index $.environment $name | default dict).valueFrom | default dict).secretKeyRef -}}
{{- $_ := set $found $name (dict "name" .name "key" .key "path" $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{/* An environment in which such variables name their files, as JSON; given like fileSecrets. A file that the user names stays. */}}
{{- define "touchline.environmentWithFiles" -}}
{{- $environment := deepCopy .environment -}}
{{- range $name, $of := include "touchline.fileSecrets" . | fromJson -}}
{{- $_ := unset $environment $name -}}
{{- if not (hasKey $environment (printf "%s_FILE" $name)) -}}
{{- $_ := set $environment (printf "%s_FILE" $name) (dict "value" (printf "%s/%s" (include "touchline.storesPath" $) $of.path)) -}}
{{- end -}}
{{- end -}}
{{- toJson $environment -}}
{{- end -}}

{{/* Renders an environment map as a container's list. $(NAME) can refer only to an earlier variable, so variables that contain such a reference come last. */}}
{{- define "touchline.env" -}}
{{- $environment := . -}}
{{- range $referring := list false true -}}
{{- range $name, $entry := $environment -}}
{{- if eq $referring (contains "$(" ($entry.value | default "")) }}
- name: {{ quote $name }}
  {{- if hasKey $entry "value" }}
  value: {{ $entry.value | quote }}
  {{- else }}
  {{- toYaml $entry | nindent 2 }}
  {{- end }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
