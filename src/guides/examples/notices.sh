NOTICES_URL=${NOTICES_URL:-https://example.com/hooks/notices} # not on the server that may fail
curl -X POST "$TOUCHLINE_URL/v1/account/webhooks" \
  -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -d "{\"url\": \"$NOTICES_URL\", \"event_types\": [\"webhook.failing\", \"webhook.disabled\", \"webhook.recovered\"]}"
