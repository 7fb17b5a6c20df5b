curl -N -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/stream?sport=football&event_type=match.goal"
