CURSOR=${CURSOR:-0} # the last cursor that you have handled
curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/stream/replay?since=$CURSOR&sport=football&limit=100"
