claude mcp add --transport http touchline 'https://sports.example.com/mcp' \
  --header "Authorization: Bearer $TOUCHLINE_KEY"
