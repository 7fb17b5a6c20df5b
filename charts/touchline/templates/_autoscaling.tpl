{{/* "true" if a role's number of pods follows the load; given (dict "root" $ "role" "api"). */}}
{{- define "touchline.isScaled" -}}
{{- $own := (index .root.Values.roles .role).autoscaling | default dict -}}
{{- if and $own.enabled (include "touchline.runs" .) }}true{{ end -}}
{{- end -}}

{{/*
The number of pods in a Deployment. An upgrade repeats the number that an autoscaler has set. Otherwise helm would remove that number, and
only one pod would be left until the autoscaler acts. If the Deployment has no pods, for example because it was stopped for a restore, the
minimum is set instead, because an autoscaler does not act on a Deployment without pods. `helm template` cannot read the current number, and
leaves it out.
*/}}
{{- define "touchline.replicas" -}}
{{- $own := index .root.Values.roles .role -}}
{{- $given := $own.replicas -}}
{{- if or (include "touchline.isScaled" .) (kindIs "invalid" $given) -}}
{{- with lookup "apps/v1" "Deployment" .root.Release.Namespace (printf "%s-%s" (include "touchline.fullname" .root) .role) -}}
replicas: {{ .spec.replicas | default ($own.autoscaling | default dict).minReplicas | default 1 }}
{{- end -}}
{{- else -}}
replicas: {{ $given }}
{{- end -}}
{{- end -}}

{{- define "touchline.validateAutoscaling" -}}
{{- $own := (index .root.Values.roles .role).autoscaling | default dict -}}
{{- $path := printf "roles.%s.autoscaling" .role -}}
{{- $known := concat (ternary (list "cpu") list (ne .role "dispatcher")) (keys (index (include "touchline.scalingMetrics" .root | fromYaml) .role | default dict)) -}}
{{- if and $own (not (has .role (list "api" "stream" "ingest" "dispatcher"))) -}}
{{- fail (printf "%s: pods of %s beyond the first are on standby, so that their number does not follow a load" $path .role) -}}
{{- end -}}
{{- if gt (int $own.minReplicas) (int $own.maxReplicas) -}}
{{- fail (printf "%s: minReplicas, %v, is more than maxReplicas, %v" $path $own.minReplicas $own.maxReplicas) -}}
{{- end -}}
{{- $targets := dict -}}
{{- range $name, $value := $own.targets -}}
{{- if not (kindIs "invalid" $value) -}}
{{- if not (has $name $known) -}}
{{- fail (printf "%s.targets.%s: no target of %s, which has %s" $path $name $.role (join ", " (sortAlpha $known))) -}}
{{- end -}}
{{- $_ := set $targets $name $value -}}
{{- end -}}
{{- end -}}
{{- if $own.enabled -}}
{{- if not $targets -}}
{{- fail (printf "%s.targets: at least one is required" $path) -}}
{{- end -}}
{{- if and (eq .root.Values.autoscaling.kind "keda") (not .root.Values.autoscaling.prometheus.serverAddress) -}}
{{- fail "autoscaling.prometheus.serverAddress: required with autoscaling.kind keda" -}}
{{- end -}}
{{- end -}}
{{- end -}}
