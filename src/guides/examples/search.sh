curl -H "X-API-Key: $TOUCHLINE_KEY" --get --data-urlencode 'q=Argentina' \
  "$TOUCHLINE_URL/v1/participants/search?limit=1"
