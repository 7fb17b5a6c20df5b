// Prints what the service answers to the Go client that openapi-generator has made.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	client "github.com/example/touchline"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Getenv("TOUCHLINE_URL")}}
	settings.AddDefaultHeader("X-API-Key", os.Getenv("TOUCHLINE_KEY"))
	api := client.NewAPIClient(settings)
	tournament := must(strconv.ParseInt(os.Getenv("TOURNAMENT"), 10, 64))
	event := must(strconv.ParseInt(os.Getenv("EVENT"), 10, 64))

	list, _, err := api.MatchesAPI.GetEvents(ctx).Tournament([]int64{tournament}).From("2024-01-01").Limit(5).Execute()
	must(list, err)
	detail, _, err := api.MatchesAPI.GetEventById(ctx, event).Execute()
	must(detail, err)
	standings, _, err := api.CompetitionsAPI.GetTournamentStandingsById(ctx, tournament).Execute()
	must(standings, err)
	_, _, err = api.MatchesAPI.GetEventById(ctx, 9007199254740991).Execute()
	var failure *client.GenericOpenAPIError
	if !errors.As(err, &failure) {
		must(0, fmt.Errorf("no problem was answered: %v", err))
	}
	problem, isProblem := failure.Model().(client.Problem)
	if !isProblem {
		must(0, fmt.Errorf("the problem has no type: %s", failure.Body()))
	}

	ids := []int64{}
	for _, match := range list.Events {
		ids = append(ids, *match.Id)
	}
	home, leader := detail.Participants[0], standings.Table[0]
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"ids": ids, "home": home.Name, "score": home.Score.Get(), "incidents": len(detail.Incidents),
		"leader": leader.Name, "points": leader.Points, "missing": problem.Code,
	}))
}
