WEBHOOK_ID=${WEBHOOK_ID:-1}
curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/account/webhooks/$WEBHOOK_ID/deliveries"
