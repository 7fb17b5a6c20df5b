WEBHOOK_ID=${WEBHOOK_ID:-1} # id of the subscription
curl -X POST -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/account/webhooks/$WEBHOOK_ID/test"
