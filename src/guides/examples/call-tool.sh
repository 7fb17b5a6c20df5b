curl -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' "$TOUCHLINE_URL/mcp" \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"events_live","arguments":{}}}'
