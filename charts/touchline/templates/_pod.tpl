{{/*
Sets in .out the settings for pods of a role, the migration or the test. They come from the values in `defaults` and from (dict … "own" …).
Maps are merged by key, lists are joined, and any other value in "own" replaces the default.
*/}}
{{- define "touchline.settings" -}}
{{- $defaults := .root.Values.defaults -}}
{{- $own := .own -}}
{{- $out := .out -}}
{{- range list "podLabels" "podAnnotations" "deploymentAnnotations" "podSecurityContext" "securityContext" "startupProbe" "livenessProbe" "readinessProbe" -}}
{{- $merged := dict -}}
{{- range list (index $defaults .) (index $own .) -}}
{{- range $key, $value := . -}}
{{- /* null is passed on, because it removes the chart's value. */ -}}
{{- $_ := set $merged $key $value -}}
{{- end -}}
{{- end -}}
{{- $_ := set $out . $merged -}}
{{- end -}}
{{- range list "extraVolumes" "extraVolumeMounts" "extraInitContainers" "extraContainers" -}}
{{- $_ := set $out . (concat (index $defaults . | default list) (index $own . | default list)) -}}
{{- end -}}
{{- range list "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" "priorityClassName" "tmpSizeLimit" "revisionHistoryLimit" "minReadySeconds" "dnsPolicy" "dnsConfig" "hostAliases" "strategy" -}}
{{- $value := index $own . -}}
{{- /* 0 replaces the default. An empty text, list or map does not. */ -}}
{{- if or (kindIs "invalid" $value) (and (not (has (kindOf $value) (list "int64" "float64" "int"))) (empty $value)) -}}
{{- $value = index $defaults . -}}
{{- end -}}
{{- $_ := set $out . $value -}}
{{- end -}}
{{- end -}}

{{- define "touchline.podSecurityContext" -}}
{{- $security := .root.Values.podSecurity -}}
{{- $context := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- include "touchline.put" (dict "into" $context "from" (dict "runAsUser" $security.runAsUser "runAsGroup" $security.runAsGroup "fsGroup" $security.runAsGroup)) -}}
{{- include "touchline.put" (dict "into" $context "from" .settings.podSecurityContext) -}}
{{- toYaml $context -}}
{{- end -}}

{{- define "touchline.securityContext" -}}
{{- $context := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{- include "touchline.put" (dict "into" $context "from" .settings.securityContext) -}}
{{- toYaml $context -}}
{{- end -}}

{{/* The fields in every pod of the release; given (dict "root" $ "role" … "settings" …). */}}
{{- define "touchline.podFields" -}}
{{- $settings := .settings -}}
serviceAccountName: {{ include "touchline.serviceAccountName" . | quote }}
automountServiceAccountToken: {{ eq .role "operator" }}
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ quote . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "touchline.podSecurityContext" . | nindent 2 }}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" "dnsPolicy" "dnsConfig" "hostAliases" }}
{{- with index $settings $field }}
{{ toYaml (dict $field .) }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The container fields that come from the pods' values; given like podFields, with "environment", "envFrom" and "resources" in addition. */}}
{{- define "touchline.containerFields" -}}
image: {{ include "touchline.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- $environment := .environment }}
{{- if .volumes }}
{{- $environment = include "touchline.environmentWithFiles" . | fromJson }}
{{- end }}
{{- with $environment }}
env:
  {{- include "touchline.env" . | nindent 2 }}
{{- end }}
{{- with .envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "touchline.securityContext" . | nindent 2 }}
{{- with .resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Mounts and volumes for the chart's files in a role's pods, as a map from the name to mount and volume. */}}
{{- define "touchline.chartVolumes" -}}
{{- $values := .root.Values -}}
{{- $name := include "touchline.fullname" .root -}}
{{- $_ := set .out "tmp" (dict "mountPath" "/tmp" "volume" (dict "emptyDir" (dict "sizeLimit" .settings.tmpSizeLimit))) -}}
{{- if and $values.plans (ne .role "migrate") -}}
{{- $_ := set .out "plans" (dict "mountPath" "/etc/touchline-plans" "volume" (dict "configMap" (dict "name" (printf "%s-plans" $name)))) -}}
{{- end -}}
{{- if eq .role "operator" -}}
{{- $_ := set .out "dispatcher" (dict "mountPath" "/etc/touchline" "volume" (dict "configMap" (dict "name" (printf "%s-dispatcher" $name)))) -}}
{{- end -}}
{{- if and (has .role (list "api" "dispatcher" "jobs")) $values.webhooks.caConfigMapName -}}
{{- $_ := set .out "ca" (dict "mountPath" "/etc/touchline/ca" "volume" (dict "configMap" (dict "name" $values.webhooks.caConfigMapName))) -}}
{{- end -}}
{{- include "touchline.storesVolumes" . -}}
{{- end -}}

{{- define "touchline.volumeMounts" -}}
{{- range $name, $of := .volumes }}
- { name: {{ $name }}, mountPath: {{ $of.mountPath }}{{ if not (hasKey $of.volume "emptyDir") }}, readOnly: true{{ end }} }
{{- end }}
{{- with .settings.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "touchline.volumes" -}}
{{- range $name, $of := .volumes }}
- name: {{ $name }}
  {{- toYaml $of.volume | nindent 2 }}
{{- end }}
{{- with .settings.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "touchline.probe" -}}
{{- $probe := dict "httpGet" (dict "path" .path "port" "admin") -}}
{{- include "touchline.put" (dict "into" $probe "from" .timing) -}}
{{- include "touchline.put" (dict "into" $probe "from" .values) -}}
{{- toYaml $probe -}}
{{- end -}}

{{/* Annotations for a role's pods; values with the same name override them. */}}
{{- define "touchline.podAnnotations" -}}
{{- $annotations := dict -}}
{{- if not .root.Values.podMonitor.enabled -}}
{{- include "touchline.put" (dict "into" $annotations "from" (dict "prometheus.io/scrape" "true" "prometheus.io/port" .environment.ADMIN_PORT.value)) -}}
{{- end -}}
{{- if eq .role "operator" -}}
{{- /* The operator's pods read the template when they start. */ -}}
{{- $_ := set $annotations "checksum/dispatcher" (include "touchline.dispatcher" .root | sha256sum) -}}
{{- end -}}
{{- if .root.Values.plans -}}
{{- /* Every process reads the plans when it starts. */ -}}
{{- $_ := set $annotations "checksum/plans" (toYaml .root.Values.plans | sha256sum) -}}
{{- end -}}
{{- include "touchline.put" (dict "into" $annotations "from" .settings.podAnnotations) -}}
{{- include "touchline.annotations" (dict "root" .root "annotations" $annotations) -}}
{{- end -}}

{{/* Seconds that a pod gets to stop before it is killed. This is the given value or, without one, the drain's duration and a margin. */}}
{{- define "touchline.gracePeriod" -}}
{{- $given := (index .root.Values.roles .role).terminationGracePeriodSeconds -}}
{{- if kindIs "invalid" $given -}}
{{- add (include "touchline.drainSeconds" .) 35 -}}
{{- else -}}
{{- toJson $given -}}
{{- end -}}
{{- end -}}

{{/* Whole seconds that a role's drain takes. */}}
{{- define "touchline.drainSeconds" -}}
{{- $total := 0.0 -}}
{{- if include "touchline.isServed" .role -}}
{{- range $name, $usual := ternary (dict "DRAIN_DELAY_SECONDS" "10" "DRAIN_SPREAD_SECONDS" "45") (dict "DRAIN_DELAY_SECONDS" "10") (eq .role "stream") -}}
{{- $total = addf $total (float64 ((index $.environment $name | default dict).value | default $usual)) -}}
{{- end -}}
{{- end -}}
{{- ceil $total -}}
{{- end -}}

{{/* One role's pod template; given (dict "root" $ "role" "api" "settings" … "environment" …). */}}
{{- define "touchline.pod" -}}
{{- $of := index .root.Values.roles .role -}}
{{- $volumes := dict -}}
{{- include "touchline.chartVolumes" (dict "root" .root "role" .role "settings" .settings "environment" .environment "out" $volumes) -}}
{{- $given := dict "root" .root "role" .role "settings" .settings "volumes" $volumes
  "environment" .environment "envFrom" (concat (.root.Values.config.envFrom | default list) ($of.envFrom | default list)) "resources" $of.resources -}}
metadata:
  labels:
    {{- include "touchline.labels" (dict "root" .root "role" .role "labels" .settings.podLabels) | nindent 4 }}
  {{- include "touchline.podAnnotations" . | nindent 2 }}
spec:
  {{- include "touchline.podFields" $given | nindent 2 }}
  terminationGracePeriodSeconds: {{ include "touchline.gracePeriod" . }}
  {{- with .settings.extraInitContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .role }}
      args: [serve, --role, {{ .role }}]
      {{- include "touchline.containerFields" $given | nindent 6 }}
      ports:
        {{- if include "touchline.isServed" .role }}
        - { name: http, containerPort: {{ .environment.PORT.value }} }
        {{- end }}
        - { name: admin, containerPort: {{ .environment.ADMIN_PORT.value }} }
      startupProbe:
        {{- include "touchline.probe" (dict "path" "/livez" "values" .settings.startupProbe "timing" (dict "periodSeconds" 2 "failureThreshold" 60)) | nindent 8 }}
      livenessProbe:
        {{- include "touchline.probe" (dict "path" "/livez" "values" .settings.livenessProbe "timing" (dict "periodSeconds" 10 "timeoutSeconds" 5 "failureThreshold" 6)) | nindent 8 }}
      readinessProbe:
        {{- include "touchline.probe" (dict "path" "/readyz" "values" .settings.readinessProbe "timing" (dict "periodSeconds" 2 "timeoutSeconds" 2 "failureThreshold" 2)) | nindent 8 }}
      volumeMounts:
        {{- include "touchline.volumeMounts" $given | nindent 8 }}
    {{- with .settings.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "touchline.volumes" $given | nindent 4 }}
  topologySpreadConstraints:
    {{- include "touchline.topologySpread" . | nindent 4 }}
{{- end -}}

{{/* Spreads a role's pods over nodes if possible. A constraint without a selector counts the role's pods. */}}
{{- define "touchline.topologySpread" -}}
{{- $selector := dict "matchLabels" (include "touchline.selector" . | fromYaml) -}}
{{- $usual := list (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway") -}}
{{- range .settings.topologySpreadConstraints | default $usual }}
- {{ toYaml (merge (dict) . (dict "labelSelector" $selector)) | nindent 2 | trim }}
{{- end }}
{{- end -}}

{{/* The spec for a role's Deployment, without the name and the number of pods. */}}
{{- define "touchline.deploymentSpec" -}}
selector:
  matchLabels:
    {{- include "touchline.selector" . | nindent 4 }}
strategy:
  {{- toYaml (.settings.strategy | default (dict "type" "RollingUpdate" "rollingUpdate" (dict "maxUnavailable" 0 "maxSurge" (ternary "100%" 1 (eq .role "stream"))))) | nindent 2 }}
{{- range $field := list "minReadySeconds" "revisionHistoryLimit" }}
{{- if not (kindIs "invalid" (index $.settings $field)) }}
{{ toYaml (dict $field (index $.settings $field)) }}
{{- end }}
{{- end }}
template:
  {{- include "touchline.pod" . | nindent 2 }}
{{- end -}}

{{/* Adds to a (dict "root" $ "role" "api") everything that the templates for a role's pods need. */}}
{{- define "touchline.resolve" -}}
{{- $settings := dict -}}
{{- include "touchline.settings" (dict "root" .root "own" (index .root.Values.roles .role) "out" $settings) -}}
{{- $environment := dict -}}
{{- include "touchline.environment" (dict "root" .root "role" .role "out" $environment) -}}
{{- $_ := set . "settings" $settings -}}
{{- $_ := set . "environment" $environment -}}
{{- end -}}

{{/* The template from which the operator creates its dispatchers. */}}
{{- define "touchline.dispatcher" -}}
{{- $given := dict "root" . "role" "dispatcher" -}}
{{- include "touchline.resolve" $given -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "touchline.fullname" . }}-dispatcher
  labels:
    {{- include "touchline.labels" $given | nindent 4 }}
  {{- include "touchline.annotations" (dict "root" . "annotations" $given.settings.deploymentAnnotations) | nindent 2 }}
spec:
  {{- include "touchline.deploymentSpec" $given | nindent 2 }}
{{- end -}}
