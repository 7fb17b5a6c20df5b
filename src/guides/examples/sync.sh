SYNC_CURSOR=${SYNC_CURSOR:-} # empty at the beginning, then the next_cursor of the last page
curl -H "X-API-Key: $TOUCHLINE_KEY" \
  "$TOUCHLINE_URL/v1/sync?sport=football&limit=100&cursor=$SYNC_CURSOR"
