{{/*
The prefix of all object names. A prefix that is too long for the longest suffix is cut, and a hash of the whole prefix distinguishes it from
others that are cut at the same place.
*/}}
{{- define "touchline.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $chart := .Values.nameOverride | default .Chart.Name -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name $chart) (contains $chart .Release.Name) -}}
{{- if le (len $name) 40 -}}
{{- $name -}}
{{- else -}}
{{- printf "%s-%s" ($name | trunc 31 | trimSuffix "-") (sha256sum $name | trunc 8) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "touchline.host" -}}
{{- regexReplaceAll ":[0-9]*$" (regexReplaceAll "^https?://" .Values.baseUrl "") "" | trimPrefix "[" | trimSuffix "]" -}}
{{- end -}}

{{- define "touchline.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* A selector's labels; given (dict "root" $ "role" "api"). It never changes between versions. */}}
{{- define "touchline.selector" -}}
app.kubernetes.io/name: {{ .root.Values.nameOverride | default "touchline" | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{/* An object's labels. A pod is given with (dict … "labels" …), which override the common labels. */}}
{{- define "touchline.labels" -}}
{{ include "touchline.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- $labels := dict -}}
{{- include "touchline.put" (dict "into" $labels "from" .root.Values.commonLabels) -}}
{{- include "touchline.put" (dict "into" $labels "from" .labels) -}}
{{- with $labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* An object's section `annotations`. Annotations in (dict … "annotations" …) override the common annotations. Empty if there are none. */}}
{{- define "touchline.annotations" -}}
{{- $annotations := dict -}}
{{- include "touchline.put" (dict "into" $annotations "from" .root.Values.commonAnnotations) -}}
{{- include "touchline.put" (dict "into" $annotations "from" .annotations) -}}
{{- with $annotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Sets each entry of the map .from in the map .into; null removes it. Unlike mergeOverwrite, false, 0 and empty texts override too. */}}
{{- define "touchline.put" -}}
{{- $into := .into -}}
{{- range $key, $value := .from -}}
{{- if kindIs "invalid" $value -}}
{{- $_ := unset $into $key -}}
{{- else -}}
{{- $_ := set $into $key $value -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Service account name for a role's pods. Only the operator's account has a token in the pods. */}}
{{- define "touchline.accountKind" -}}
{{- ternary .role "service" (has .role (list "operator" "migrate")) -}}
{{- end -}}

{{- define "touchline.serviceAccountName" -}}
{{- $kind := include "touchline.accountKind" . -}}
{{- $own := ternary "" (printf "-%s" $kind) (eq $kind "service") -}}
{{- (index .root.Values.serviceAccount $kind).name | default (printf "%s%s" (include "touchline.fullname" .root) $own) -}}
{{- end -}}

{{/* "true" if a role has pods, in a Deployment made by the chart or by the operator; otherwise empty. */}}
{{- define "touchline.runs" -}}
{{- $of := index .root.Values.roles .role -}}
{{- /* The loader needs ClickHouse. */ -}}
{{- if and $of.enabled (or (ne .role "loader") .root.Values.clickhouse.secretName) -}}
true
{{- end -}}
{{- end -}}

{{/* "true" if a role has a Service, and therefore drains before it stops; otherwise empty. */}}
{{- define "touchline.isServed" -}}
{{- if has . (list "api" "stream" "ingest") -}}
true
{{- end -}}
{{- end -}}

{{/* "true" if a role sends spans to a collector; otherwise empty. */}}
{{- define "touchline.traces" -}}
{{- if and .root.Values.tracing.endpoint (has .role (list "api" "stream" "ingest" "relay" "dispatcher" "jobs")) -}}
true
{{- end -}}
{{- end -}}

{{/* Path prefixes by role, as YAML, for an Ingress and a Gateway; given (dict "feed" …), which is true if providers write through it. */}}
{{- define "touchline.publicPaths" -}}
api: [/]
stream: [/v1/stream, /live]
{{- if .feed }}
ingest: [/feed]
{{- end }}
{{- end -}}

{{/* Names of the Secrets that the operator may read, as JSON. The list is empty if the operator may read any Secret, or none. */}}
{{- define "touchline.operatorSecrets" -}}
{{- if eq .Values.operator.secrets.access "named" -}}
{{- toJson (.Values.operator.secrets.names | uniq) -}}
{{- else -}}
[]
{{- end -}}
{{- end -}}

{{/*
Which other release, as <namespace>/<name>, owns the CustomResourceDefinition of a kind in this cluster, or kubectl. Empty if this release owns
it, if the definition does not exist, or if Helm has no cluster to ask. Takes root and the kind's plural.
*/}}
{{- define "touchline.crdOwner" -}}
{{- with lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" (printf "%s.touchline.dev" .plural) -}}
{{- $annotations := .metadata.annotations | default dict -}}
{{- $name := index $annotations "meta.helm.sh/release-name" -}}
{{- $namespace := index $annotations "meta.helm.sh/release-namespace" -}}
{{- if not $name -}}
kubectl
{{- else if or (ne $name $.root.Release.Name) (ne $namespace $.root.Release.Namespace) -}}
{{- printf "%s/%s" $namespace $name -}}
{{- end -}}
{{- end -}}
{{- end -}}
