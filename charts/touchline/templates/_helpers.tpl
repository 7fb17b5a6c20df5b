{{- define "touchline.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "touchline.host" -}}
{{- (urlParse .Values.baseUrl).hostname -}}
{{- end -}}

{{- define "touchline.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* What a selector names: given (dict "root" $ "role" "api"). It never changes between versions. */}}
{{- define "touchline.selector" -}}
app.kubernetes.io/name: touchline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "touchline.labels" -}}
{{ include "touchline.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The account whose token is mounted is the operator's alone. */}}
{{- define "touchline.serviceAccountName" -}}
{{- $name := include "touchline.fullname" .root -}}
{{- if has .role (list "operator" "migrate") -}}
{{- printf "%s-%s" $name .role -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{- define "touchline.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: {{ .Values.podSecurity.runAsUser }}
runAsGroup: {{ .Values.podSecurity.runAsGroup }}
fsGroup: {{ .Values.podSecurity.runAsGroup }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "touchline.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "touchline.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secretName | quote }}, key: {{ .key | quote }} }
{{- end -}}

{{/* The environment of one role, in which a value of the role wins over the common one. */}}
{{- define "touchline.env" -}}
{{- $values := .root.Values -}}
{{ include "touchline.secretEnv" (dict "name" "DATABASE_URL" "secretName" $values.database.secretName "key" $values.database.secretKey) }}
{{- if has .role (list "api" "stream" "dispatcher" "operator") }}
{{ include "touchline.secretEnv" (dict "name" "SECRET_KEY" "secretName" $values.secrets.secretName "key" $values.secrets.secretKeyKey) }}
{{- end }}
{{- if eq .role "ingest" }}
{{ include "touchline.secretEnv" (dict "name" "FEED_TOKEN" "secretName" $values.secrets.secretName "key" $values.secrets.feedTokenKey) }}
{{- if $values.weather.apiKeySecretName }}
{{ include "touchline.secretEnv" (dict "name" "WEATHER_API_KEY" "secretName" $values.weather.apiKeySecretName "key" $values.weather.apiKeySecretKey) }}
{{- end }}
{{- end }}
{{- if and $values.accounts.mail.secretName (eq .role "api") }}
{{ include "touchline.secretEnv" (dict "name" "SMTP_URL" "secretName" $values.accounts.mail.secretName "key" $values.accounts.mail.secretKey) }}
{{- end }}
{{- if and $values.clickhouse.secretName (has .role (list "api" "loader")) }}
{{ include "touchline.secretEnv" (dict "name" "CLICKHOUSE_URL" "secretName" $values.clickhouse.secretName "key" $values.clickhouse.secretKey) }}
{{- end }}
{{- $stores := dict -}}
{{- include "touchline.storesEnvironment" (dict "root" .root "role" .role "out" $stores) -}}
{{- range $name, $entry := $stores }}
- name: {{ $name }}
  {{- toYaml $entry | nindent 2 }}
{{- end }}
- name: POD_NAME
  valueFrom:
    fieldRef: { fieldPath: metadata.name }
- name: POD_NAMESPACE
  valueFrom:
    fieldRef: { fieldPath: metadata.namespace }
{{- $config := $values.config -}}
{{- $env := dict
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
{{- if eq .role "operator" -}}
{{- $env = merge $env (dict
  "DISPATCHER_TEMPLATE_FILE" "/etc/touchline/dispatcher.yaml"
  "OPERATOR_DEPLOYMENT" (printf "%s-operator" (include "touchline.fullname" .root))
  "DISPATCHERS_MIN" (toString $values.webhooks.dispatchersMin)
  "DISPATCHERS_MAX" (toString $values.webhooks.dispatchersMax)
  "SUBSCRIPTIONS_PER_DISPATCHER" (toString $values.webhooks.subscriptionsPerDispatcher)
) -}}
{{- end -}}
{{- if eq .role "api" -}}
{{- $env = merge $env (dict "SIGNUP" $values.accounts.signUp "MAIL_FROM" $values.accounts.mail.from) -}}
{{- end -}}
{{- if eq .role "ingest" -}}
{{- $env = merge $env (dict
  "WEATHER_URL" $values.weather.url
  "WEATHER_ARCHIVE_URL" $values.weather.archiveUrl
  "WEATHER_DAILY_REQUESTS" (toString $values.weather.dailyRequests)
) -}}
{{- end -}}
{{- /* The migration runs before the ConfigMap is there, and does not read the plans. */ -}}
{{- if and $values.plans (ne .role "migrate") -}}
{{- $_ := set $env "PLANS_FILE" "/etc/touchline-plans/plans.yaml" -}}
{{- end -}}
{{- if eq .role "stream" -}}
{{- $_ := set $env "NODE_OPTIONS" "--max-semi-space-size=8" -}}
{{- end -}}
{{- if has .role (list "api" "dispatcher" "operator") -}}
{{- $_ := set $env "WEBHOOK_ALLOW" (join "," $values.webhooks.allow) -}}
{{- end -}}
{{- if and (has .role (list "api" "dispatcher")) $values.webhooks.caConfigMapName -}}
{{- $_ := set $env "NODE_EXTRA_CA_CERTS" (printf "/etc/touchline/ca/%s" $values.webhooks.caKey) -}}
{{- end -}}
{{- range $name, $value := mergeOverwrite $env (deepCopy $config.env) (deepCopy .env) }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* The template of the pods of one role: given (dict "root" $ "role" "api"). */}}
{{- define "touchline.pod" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $of := index $root.Values.roles $role -}}
{{- $stores := dict -}}
{{- include "touchline.storesVolumes" (dict "root" $root "role" $role "out" $stores) -}}
metadata:
  labels:
    {{- include "touchline.labels" . | nindent 4 }}
  annotations:
    prometheus.io/scrape: 'true'
    prometheus.io/port: '9090'
    {{- if eq $role "operator" }}
    # Its pods read the template when they start.
    checksum/dispatcher: {{ include "touchline.dispatcher" $root | sha256sum }}
    {{- end }}
    {{- if $root.Values.plans }}
    # Every process reads the plans when it starts.
    checksum/plans: {{ toYaml $root.Values.plans | sha256sum }}
    {{- end }}
    {{- with $of.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "touchline.serviceAccountName" . }}
  automountServiceAccountToken: {{ eq $role "operator" }}
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $of.terminationGracePeriodSeconds }}
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  securityContext:
    {{- include "touchline.podSecurityContext" $root | nindent 4 }}
  containers:
    - name: {{ $role }}
      image: {{ include "touchline.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [serve, --role, {{ $role }}]
      env:
        {{- include "touchline.env" (dict "root" $root "role" $role "env" $of.env) | nindent 8 }}
      ports:
        {{- if has $role (list "api" "stream" "ingest") }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: admin, containerPort: 9090 }
      startupProbe:
        httpGet: { path: /livez, port: admin }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /livez, port: admin }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: admin }
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      securityContext:
        {{- include "touchline.securityContext" $root | nindent 8 }}
      {{- with $of.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- range $name, $entry := $stores }}
        - { name: {{ $name }}, mountPath: {{ $entry.mountPath }}, readOnly: true }
        {{- end }}
        {{- if $root.Values.plans }}
        - { name: plans, mountPath: /etc/touchline-plans, readOnly: true }
        {{- end }}
        {{- if eq $role "operator" }}
        - { name: dispatcher, mountPath: /etc/touchline, readOnly: true }
        {{- end }}
        {{- if and (has $role (list "api" "dispatcher")) $root.Values.webhooks.caConfigMapName }}
        - { name: ca, mountPath: /etc/touchline/ca, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- range $name, $entry := $stores }}
    - name: {{ $name }}
      {{- toYaml $entry.volume | nindent 6 }}
    {{- end }}
    {{- if $root.Values.plans }}
    - name: plans
      configMap: { name: {{ include "touchline.fullname" $root }}-plans }
    {{- end }}
    {{- if eq $role "operator" }}
    - name: dispatcher
      configMap: { name: {{ include "touchline.fullname" $root }}-dispatcher }
    {{- end }}
    {{- if and (has $role (list "api" "dispatcher")) $root.Values.webhooks.caConfigMapName }}
    - name: ca
      configMap: { name: {{ $root.Values.webhooks.caConfigMapName }} }
    {{- end }}
  {{- with $of.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $of.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $of.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "touchline.selector" . | nindent 10 }}
  {{- end }}
{{- end -}}

{{/* What a Deployment of one role is besides its name and its number of pods. */}}
{{- define "touchline.deploymentSpec" -}}
selector:
  matchLabels:
    {{- include "touchline.selector" . | nindent 4 }}
strategy:
  type: RollingUpdate
  rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
template:
  {{- include "touchline.pod" . | nindent 2 }}
{{- end -}}

{{/* What the operator makes its dispatchers from. */}}
{{- define "touchline.dispatcher" -}}
{{- $of := dict "root" . "role" "dispatcher" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "touchline.fullname" . }}-dispatcher
  labels:
    {{- include "touchline.labels" $of | nindent 4 }}
spec:
  {{- include "touchline.deploymentSpec" $of | nindent 2 }}
{{- end -}}
