WEBHOOK_ID=${WEBHOOK_ID:-1}
# The reply says which of the newest 100 events would pass, and the subscription is not created.
curl -X POST "$TOUCHLINE_URL/v1/account/webhooks/preview" \
  -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -d '{"event_types": ["match.goal"], "conditions": ["data.match.minute >= 80"]}'
echo
curl -X PATCH "$TOUCHLINE_URL/v1/account/webhooks/$WEBHOOK_ID" \
  -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -d '{"conditions": ["data.match.minute >= 80"]}'
