PARTICIPANT_ID=${PARTICIPANT_ID:-1} # an id from the search
curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/participant/$PARTICIPANT_ID/events?when=past&limit=5"
