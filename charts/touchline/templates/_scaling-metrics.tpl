{{/*
The metrics by which roles scale, as YAML. Each role has targets. A target has a metric from the rules for prometheus-adapter
(files/prometheus-adapter.yaml), the same metric in PromQL for KEDA, and the factor by which the value is multiplied to get the metric.
*/}}
{{- define "touchline.scalingMetrics" -}}
{{- /* Deployment names for dedicated dispatchers have one part more. */ -}}
{{- $pods := printf `namespace="%s",pod=~"%s-ROLE-[^-]+-[^-]+"` .Release.Namespace (include "touchline.fullname" .) -}}
stream:
  connections:
    metric: touchline_stream_connections
    query: {{ printf `sum(touchline_stream_connections{%s})` $pods | replace "ROLE" "stream" | quote }}
ingest:
  batchesInWork:
    metric: touchline_ingest_batches_in_work
    query: {{ printf `sum(rate(touchline_ingest_work_seconds_total{%s}[2m]))` $pods | replace "ROLE" "ingest" | quote }}
dispatcher:
  load:
    metric: touchline_webhook_load
    percent: true
    query: {{ printf `sum(touchline_webhook_load{%s})` $pods | replace "ROLE" "dispatcher" | quote }}
  waitSeconds:
    metric: touchline_webhook_wait_seconds
    query: {{ printf `sum(touchline_webhook_oldest_undelivered_seconds{wait="sending",%s})` $pods | replace "ROLE" "dispatcher" | quote }}
  subscriptions:
    metric: touchline_webhook_subscriptions
    query: {{ printf `sum(touchline_webhook_subscriptions{%s})` $pods | replace "ROLE" "dispatcher" | quote }}
{{- end -}}
