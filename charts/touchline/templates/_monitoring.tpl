{{/* The alert and objective groups, with the objectives and the runbook address from the values. Disabled alerts are left out. */}}
{{- define "touchline.alerts" -}}
{{- $values := .Values.prometheusRule -}}
{{- $known := list -}}
{{- $groups := list -}}
{{- $objectives := (.Files.Get "files/objectives.yaml" | fromYaml).groups -}}
{{- $usual := dict -}}
{{- range (index $objectives 0).rules -}}
{{- if eq .record "touchline:objective:seconds" -}}
{{- $_ := set $usual .labels.objective (regexFind "[0-9.]+" .expr) -}}
{{- end -}}
{{- end -}}
{{- range concat (.Files.Get "files/alerts.yaml" | fromYaml).groups $objectives -}}
{{- $rules := list -}}
{{- range .rules -}}
{{- if .alert -}}
{{- $known = append $known .alert -}}
{{- $_ := set .annotations "runbook_url" (printf "%s#%s" $values.runbookUrl (last (splitList "#" .annotations.runbook_url))) -}}
{{- else if (.labels | default dict).objective -}}
{{- include "touchline.objective" (dict "rule" . "objectives" $values.objectives "usual" $usual) -}}
{{- end -}}
{{- if not (has .alert $values.disabled) -}}
{{- $rules = append $rules . -}}
{{- end -}}
{{- end -}}
{{- if $rules -}}
{{- $groups = append $groups (dict "name" .name "rules" $rules) -}}
{{- end -}}
{{- end -}}
{{- range $values.disabled -}}
{{- if not (has . $known) -}}
{{- fail (printf "prometheusRule.disabled: there is no alert %s" .) -}}
{{- end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end -}}

{{/* Replaces the default objective in a rule from the file by the objective in the values. */}}
{{- define "touchline.objective" -}}
{{- $rule := .rule -}}
{{- $usual := .usual -}}
{{- range $name, $of := .objectives -}}
{{- if eq (kebabcase $name) $rule.labels.objective -}}
{{- if eq $rule.record "touchline:objective:ratio" -}}
{{- $_ := set $rule "expr" (printf "vector(%v)" $of.ratio) -}}
{{- else if eq $rule.record "touchline:objective:seconds" -}}
{{- $_ := set $rule "expr" (printf "vector(%v)" $of.seconds) -}}
{{- else if $of.seconds -}}
{{- $_ := set $rule "expr" (replace (printf "le=%q" (index $usual $rule.labels.objective)) (printf "le=\"%v\"" $of.seconds) $rule.expr) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
