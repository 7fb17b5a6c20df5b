{{/* The groups of alerts, without those that are left out. */}}
{{- define "touchline.alerts" -}}
{{- $disabled := .Values.prometheusRule.disabled -}}
{{- $known := list -}}
{{- $groups := list -}}
{{- range (.Files.Get "files/alerts.yaml" | fromYaml).groups -}}
{{- $rules := list -}}
{{- range .rules -}}
{{- $known = append $known .alert -}}
{{- if not (has .alert $disabled) -}}
{{- $rules = append $rules . -}}
{{- end -}}
{{- end -}}
{{- if $rules -}}
{{- $groups = append $groups (dict "name" .name "rules" $rules) -}}
{{- end -}}
{{- end -}}
{{- range $disabled -}}
{{- if not (has . $known) -}}
{{- fail (printf "prometheusRule.disabled: there is no alert %s" .) -}}
{{- end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end -}}
