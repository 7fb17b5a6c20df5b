PARTICIPANT_ID=${PARTICIPANT_ID:-1} # the id that the search gave
curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/participant/$PARTICIPANT_ID/events?when=past&limit=5"
