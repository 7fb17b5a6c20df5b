# In another terminal: npx touchline listen --forward http://localhost:3000/hook
curl -X POST "$TOUCHLINE_URL/v1/account/trigger" \
  -H "X-API-Key: $TOUCHLINE_KEY" -H 'Content-Type: application/json' \
  -d '{"event_type": "match.goal"}'
