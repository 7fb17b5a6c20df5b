MATCH_ID=${MATCH_ID:-1} # the id of a match of the list
curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/event/$MATCH_ID?blocks=incidents,lineups,statistics"
