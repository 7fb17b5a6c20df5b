URL="$TOUCHLINE_URL/v1/tournaments?limit=5"
ETAG=$(curl -sS -o /dev/null -H "X-API-Key: $TOUCHLINE_KEY" -w '%header{etag}' "$URL")
curl -sS -o /dev/null -w '%{http_code}\n' -H "X-API-Key: $TOUCHLINE_KEY" -H "If-None-Match: $ETAG" "$URL"
