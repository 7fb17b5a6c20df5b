WEBHOOK_ID=${WEBHOOK_ID:-1}
GATEWAY_TOKEN=${GATEWAY_TOKEN:-a-token}
curl -X PATCH "$TOUCHLINE_URL/v1/account/webhooks/$WEBHOOK_ID" \
  -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -d "{\"headers\": [{\"name\": \"X-Gateway-Token\", \"value\": \"$GATEWAY_TOKEN\", \"secret\": true}]}"
