curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/events?sport=football&limit=3"
