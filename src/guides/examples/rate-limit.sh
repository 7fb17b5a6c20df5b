curl -sS -o /dev/null -D - -H "X-API-Key: $TOUCHLINE_KEY" "$TOUCHLINE_URL/v1/sports" \
  | grep -i '^ratelimit'
