HOOK_URL=${HOOK_URL:-https://example.com/hooks/touchline} # your endpoint
curl -X POST "$TOUCHLINE_URL/v1/account/webhooks" \
  -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: goals-of-my-site' \
  -d "{\"url\": \"$HOOK_URL\", \"event_types\": [\"match.goal\"], \"sports\": [\"football\"]}"
