curl -H "X-API-Key: $TOUCHLINE_KEY" "$TOUCHLINE_URL/v1/events/live"
