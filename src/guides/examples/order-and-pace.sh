WEBHOOK_ID=${WEBHOOK_ID:-1}
curl -X PATCH "$TOUCHLINE_URL/v1/account/webhooks/$WEBHOOK_ID" \
  -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -d '{"ordering": "match", "max_per_second": 20, "max_in_flight": 4}'
