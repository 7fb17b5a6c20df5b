const goals = new EventSource(
  'https://sports.example.com/v1/stream?event_type=match.goal&key=pk_live_…',
);
goals.addEventListener('match.goal', ({ data }) => {
  const { home, away } = JSON.parse(data).data.match;
  console.log(`Goal! ${home.name} ${home.score}:${away.score} ${away.name}`);
});
