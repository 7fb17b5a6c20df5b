MATCH_ID=${MATCH_ID:-1} # id of a match from the list
curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/event/$MATCH_ID?blocks=incidents,lineups,statistics"
