WEBHOOK_ID=${WEBHOOK_ID:-1} # the id that the subscription got
curl -X POST -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/account/webhooks/$WEBHOOK_ID/test"
