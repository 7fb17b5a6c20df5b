{{/* Checks that the values schema cannot express. If one fails, rendering ends with a line that says why. */}}
{{- define "touchline.validate" -}}
{{- include "touchline.validateNames" . -}}
{{- include "touchline.validateBaseUrl" . -}}
{{- include "touchline.validateAccounts" . -}}
{{- include "touchline.validateProxies" . -}}
{{- include "touchline.validateRoutes" . -}}
{{- if gt (int .Values.webhooks.dispatchersMin) (int .Values.webhooks.dispatchersMax) -}}
{{- fail (printf "webhooks.dispatchersMin: %v is more than webhooks.dispatchersMax, %v" .Values.webhooks.dispatchersMin .Values.webhooks.dispatchersMax) -}}
{{- end -}}
{{- range $role, $of := .Values.roles -}}
{{- $given := dict "root" $ "role" $role "path" (printf "roles.%s" $role) -}}
{{- include "touchline.resolve" $given -}}
{{- include "touchline.validatePorts" $given -}}
{{- include "touchline.validateDrain" $given -}}
{{- include "touchline.validateBudget" $given -}}
{{- include "touchline.validateAutoscaling" $given -}}
{{- include "touchline.validateResources" (dict "path" $given.path "resources" $of.resources) -}}
{{- include "touchline.validateStrategy" $given -}}
{{- include "touchline.validatePod" $given -}}
{{- end -}}
{{- $settings := dict -}}
{{- include "touchline.settings" (dict "root" . "own" .Values.migrate "out" $settings) -}}
{{- include "touchline.validatePod" (dict "root" . "role" "migrate" "path" "migrate" "settings" (set $settings "extraContainers" list)) -}}
{{- include "touchline.validateResources" (dict "path" "migrate" "resources" .Values.migrate.resources) -}}
{{- range $place, $object := .Values.extraObjects -}}
{{- include "touchline.validateObject" (dict "root" $ "place" $place "object" $object) -}}
{{- end -}}
{{- end -}}

{{- define "touchline.validateNames" -}}
{{- $name := include "touchline.fullname" . -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- fail (printf "the name %s cannot be that of a Service, which begins with a letter and has lower-case letters, digits and - alone: give another with fullnameOverride" $name) -}}
{{- end -}}
{{- end -}}

{{- define "touchline.validateBaseUrl" -}}
{{- $url := .Values.baseUrl -}}
{{- $example := "as in https://sports.example.com" -}}
{{- if not (regexMatch "^https?://." $url) -}}
{{- fail (printf "baseUrl: %q must begin with http:// or https://, %s" $url $example) -}}
{{- end -}}
{{- $address := regexReplaceAll "^https?://" $url "" -}}
{{- if contains "@" $address -}}
{{- fail "baseUrl: it may not contain a user name or a password" -}}
{{- end -}}
{{- if regexMatch "[/?#\\\\]" $address -}}
{{- fail (printf "baseUrl: %q must end after the host and its port, without a slash, a path or a query" $url) -}}
{{- end -}}
{{- if ne $address (lower $address) -}}
{{- fail (printf "baseUrl: %q must be in lower case" $url) -}}
{{- end -}}
{{- $host := regexReplaceAll ":[0-9]*$" $address "" -}}
{{- if regexMatch "^[0-9a-f:.]*:[0-9a-f:.]*$" $host -}}
{{- fail (printf "baseUrl: the address %s belongs in brackets" $address) -}}
{{- end -}}
{{- $port := trimPrefix ":" (trimPrefix $host $address) -}}
{{- if and (ne $host $address) (not (and (regexMatch "^[1-9][0-9]{0,4}$" $port) (le (int $port) 65535))) -}}
{{- fail (printf "baseUrl: %q has a port that there is not" $url) -}}
{{- end -}}
{{- $isV4 := regexMatch "^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.|$)){4}$" $host -}}
{{- $isV6 := regexMatch "^\\[[0-9a-f:]*:[0-9a-f:.]*\\]$" $host -}}
{{- $label := "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?" -}}
{{- $isName := and (le (len $host) 253) (regexMatch (printf "^(%s\\.)*%s$" $label $label) $host) (not (regexMatch "(^|\\.)[0-9]+$" $host)) -}}
{{- if not (or $isV4 $isV6 $isName) -}}
{{- fail (printf "baseUrl: %q is neither a host name nor an IP address, %s" $host $example) -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not $isName) -}}
{{- fail (printf "baseUrl: an Ingress has no rule for the IP address %s: give a name, or set ingress.enabled to false" $host) -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.hostnames) (not $isName) -}}
{{- fail (printf "baseUrl: an HTTPRoute cannot be for the IP address %s: give a name, or httpRoute.hostnames" $host) -}}
{{- end -}}
{{- end -}}

{{/* Behind an Ingress or a Gateway, all clients have the controller's address unless forwarded addresses are trusted. */}}
{{- define "touchline.validateProxies" -}}
{{- $ways := list (dict "name" "ingress" "proxies" "ingress controller's pods") (dict "name" "httpRoute" "proxies" "Gateway's proxies") -}}
{{- range $way := $ways -}}
{{- $values := index $.Values $way.name -}}
{{- if $values.enabled -}}
{{- range $role := ternary (list "api" "stream" "ingest") (list "api" "stream") $values.feed -}}
{{- $environment := dict -}}
{{- include "touchline.environment" (dict "root" $ "role" $role "out" $environment) -}}
{{- $entry := index $environment "TRUSTED_PROXIES" | default dict -}}
{{- if not (or $entry.value $entry.valueFrom) -}}
{{- fail (printf "config.trustedProxies: required with %s.enabled, since otherwise all clients share the limits of one address: give the networks of the %s, as in [10.244.0.0/16]" $way.name $way.proxies) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The API server accepts a Gateway that is named twice only if the listeners differ. */}}
{{- define "touchline.validateRoutes" -}}
{{- if .Values.httpRoute.enabled -}}
{{- if not .Values.httpRoute.parentRefs -}}
{{- fail "httpRoute.parentRefs: required with httpRoute.enabled: give the Gateway that serves the routes, as in [{ name: public, namespace: gateways }]" -}}
{{- end -}}
{{- $seen := dict -}}
{{- range .Values.httpRoute.parentRefs -}}
{{- $group := hasKey . "group" | ternary .group "gateway.networking.k8s.io" -}}
{{- $parent := list $group (.kind | default "Gateway") (.namespace | default "") .name | join "/" -}}
{{- $sections := get $seen $parent | default list -}}
{{- $section := .sectionName | default "" -}}
{{- if or (has $section $sections) (and $sections (or (eq $section "") (has "" $sections))) -}}
{{- fail (printf "httpRoute.parentRefs: %s is there twice: give each a sectionName of its own" .name) -}}
{{- end -}}
{{- $_ := set $seen $parent (append $sections $section) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A service account that the chart does not create needs a name, and no account is created twice. */}}
{{- define "touchline.validateAccounts" -}}
{{- $made := dict -}}
{{- range $kind := list "service" "operator" "migrate" -}}
{{- $account := index $.Values.serviceAccount $kind -}}
{{- $name := include "touchline.serviceAccountName" (dict "root" $ "role" $kind) -}}
{{- if and (not $account.create) (not $account.name) -}}
{{- fail (printf "serviceAccount.%s.name: required where serviceAccount.%s.create is false" $kind $kind) -}}
{{- end -}}
{{- if hasKey $made $name -}}
{{- $other := index $made $name -}}
{{- if $account.create -}}
{{- fail (printf "serviceAccount.%s.name: %s is also the name of serviceAccount.%s, and both would be made" $kind $name $other) -}}
{{- else if eq $kind "migrate" -}}
{{- fail (printf "serviceAccount.migrate.name: %s is made with the release, and the migration runs before" $name) -}}
{{- end -}}
{{- end -}}
{{- if $account.create -}}
{{- $_ := set $made $name $kind -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Checks the variables from which the chart takes the container ports. */}}
{{- define "touchline.validatePorts" -}}
{{- range $name := list "PORT" "ADMIN_PORT" -}}
{{- $text := (index $.environment $name | default dict).value | default "" -}}
{{- if not (and (regexMatch "^[1-9][0-9]{0,4}$" $text) (le (int $text) 65535)) -}}
{{- fail (printf "%s.env or config.env: %s must be a port, written as a text" $.path $name) -}}
{{- end -}}
{{- end -}}
{{- if eq .environment.PORT.value .environment.ADMIN_PORT.value -}}
{{- fail (printf "%s.env or config.env: PORT and ADMIN_PORT are both %s" .path .environment.PORT.value) -}}
{{- end -}}
{{- end -}}

{{- define "touchline.validateDrain" -}}
{{- if include "touchline.isServed" .role -}}
{{- range $name := list "DRAIN_DELAY_SECONDS" "DRAIN_SPREAD_SECONDS" -}}
{{- $entry := index $.environment $name | default dict -}}
{{- if or (hasKey $entry "valueFrom") (not (regexMatch "^([0-9]+(\\.[0-9]+)?)?$" ($entry.value | default ""))) -}}
{{- fail (printf "%s.env or config.env: %s must be a number of seconds, written as a text, since the grace period depends on it" $.path $name) -}}
{{- end -}}
{{- if gt (float64 ($entry.value | default "0")) 3600.0 -}}
{{- fail (printf "%s: %s of %s s is more than the hour that there may be" $.path $name $entry.value) -}}
{{- end -}}
{{- end -}}
{{- $drain := int (include "touchline.drainSeconds" .) -}}
{{- $least := add $drain 15 -}}
{{- $grace := include "touchline.gracePeriod" . -}}
{{- if lt (int $grace) (int $least) -}}
{{- fail (printf "%s.terminationGracePeriodSeconds: %s s are too few: the drain takes %d (the values drain, or DRAIN_DELAY_SECONDS and DRAIN_SPREAD_SECONDS), and what follows up to 15. Give at least %d, or null" .path $grace $drain $least) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "touchline.validateBudget" -}}
{{- $of := index .root.Values.roles .role -}}
{{- $budget := dict -}}
{{- include "touchline.put" (dict "into" $budget "from" .root.Values.podDisruptionBudget) -}}
{{- include "touchline.put" (dict "into" $budget "from" $of.podDisruptionBudget) -}}
{{- $replicas := $of.replicas -}}
{{- /* The operator starts with the minimum number of pods. */ -}}
{{- if and (eq .role "dispatcher") .root.Values.roles.operator.enabled -}}
{{- $replicas = .root.Values.webhooks.dispatchersMin -}}
{{- end -}}
{{- $least := toString $budget.minAvailable -}}
{{- if and (include "touchline.runs" .) $budget.enabled (regexMatch "^[0-9]+$" $least) (not (kindIs "invalid" $replicas)) -}}
{{- if ge (int $least) (int $replicas) -}}
{{- fail (printf "%s.podDisruptionBudget: minAvailable of %s with %v pods would let no node be drained" .path $least $replicas) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A quantity as a number; given a text such as 250m or 2Gi. */}}
{{- define "touchline.amount" -}}
{{- $text := toString . -}}
{{- $unit := regexFind "[a-zA-Z]+$" $text -}}
{{- $units := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18
  "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0 -}}
{{- mulf (float64 (trimSuffix $unit $text)) (get $units $unit | default 1.0) -}}
{{- end -}}

{{- define "touchline.validateResources" -}}
{{- $limits := (.resources | default dict).limits | default dict -}}
{{- range $name, $request := (.resources | default dict).requests -}}
{{- $limit := index $limits $name -}}
{{- if not (or (kindIs "invalid" $limit) (kindIs "invalid" $request)) -}}
{{- if gt (float64 (include "touchline.amount" $request)) (float64 (include "touchline.amount" $limit)) -}}
{{- fail (printf "%s.resources: the request of %v %s is above the limit of %v" $.path $request $name $limit) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "touchline.validateStrategy" -}}
{{- with (.settings.strategy | default dict).rollingUpdate -}}
{{- if and (regexMatch "^0%?$" (toString .maxUnavailable)) (regexMatch "^0%?$" (toString .maxSurge)) -}}
{{- fail (printf "%s.strategy: maxUnavailable and maxSurge are both 0, so that no pod could ever be replaced" $.path) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Checks a list in which the API server accepts each key only once; given (dict "path" … "list" … "keys" …). */}}
{{- define "touchline.validateUnique" -}}
{{- $seen := dict -}}
{{- range $one := .list -}}
{{- $key := list -}}
{{- range $.keys -}}
{{- $key = append $key (index $one .) -}}
{{- end -}}
{{- $text := join " " $key -}}
{{- if hasKey $seen $text -}}
{{- fail (printf "%s: %s is there twice" $.path $text) -}}
{{- end -}}
{{- $_ := set $seen $text true -}}
{{- end -}}
{{- end -}}

{{/* Names that must be unique in a pod, and mounts for existing volumes. */}}
{{- define "touchline.validatePod" -}}
{{- if and (eq (.settings.dnsPolicy | default "") "None") (not (.settings.dnsConfig | default dict).nameservers) -}}
{{- fail (printf "%s.dnsConfig: dnsPolicy None needs nameservers" .path) -}}
{{- end -}}
{{- include "touchline.validateUnique" (dict "path" (printf "%s.hostAliases" .path) "list" .settings.hostAliases "keys" (list "ip")) -}}
{{- include "touchline.validateUnique" (dict "path" (printf "%s.podSecurityContext.sysctls" .path) "list" .settings.podSecurityContext.sysctls "keys" (list "name")) -}}
{{- include "touchline.validateUnique" (dict "path" (printf "%s.topologySpreadConstraints" .path) "list" .settings.topologySpreadConstraints "keys" (list "topologyKey" "whenUnsatisfiable")) -}}
{{- $volumes := dict -}}
{{- include "touchline.chartVolumes" (dict "root" .root "role" .role "settings" .settings "environment" .environment "out" $volumes) -}}
{{- $paths := dict -}}
{{- range $name, $of := $volumes -}}
{{- $_ := set $paths $of.mountPath $name -}}
{{- end -}}
{{- range .settings.extraVolumes -}}
{{- if hasKey $volumes .name -}}
{{- fail (printf "%s.extraVolumes: there is a volume %s already" $.path .name) -}}
{{- end -}}
{{- $_ := set $volumes .name dict -}}
{{- end -}}
{{- range .settings.extraVolumeMounts -}}
{{- if not (hasKey $volumes .name) -}}
{{- fail (printf "%s.extraVolumeMounts: there is no volume %s" $.path .name) -}}
{{- end -}}
{{- $path := trimSuffix "/" .mountPath -}}
{{- if hasKey $paths $path -}}
{{- fail (printf "%s.extraVolumeMounts: %s is mounted already" $.path $path) -}}
{{- end -}}
{{- $_ := set $paths $path .name -}}
{{- end -}}
{{- $containers := dict .role true -}}
{{- range concat .settings.extraInitContainers .settings.extraContainers -}}
{{- if hasKey $containers .name -}}
{{- fail (printf "%s.extraInitContainers or extraContainers: there is a container %s already" $.path .name) -}}
{{- end -}}
{{- $_ := set $containers .name true -}}
{{- end -}}
{{- end -}}

{{- define "touchline.validateObject" -}}
{{- $path := printf "extraObjects[%d]" .place -}}
{{- $object := tpl (kindIs "string" .object | ternary .object (toYaml .object)) .root | fromYaml -}}
{{- if hasKey $object "Error" -}}
{{- fail (printf "%s: %s" $path $object.Error) -}}
{{- end -}}
{{- range list "apiVersion" "kind" -}}
{{- if not (index $object .) -}}
{{- fail (printf "%s: has no %s" $path .) -}}
{{- end -}}
{{- end -}}
{{- if not ($object.metadata | default dict).name -}}
{{- fail (printf "%s: has no metadata.name" $path) -}}
{{- end -}}
{{- end -}}
