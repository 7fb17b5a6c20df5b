// Prints what the service answers to the client that oapi-codegen has made.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"example.com/touchline/client"
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
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("TOUCHLINE_KEY"))
		return nil
	}
	api := must(client.NewClientWithResponses(os.Getenv("TOUCHLINE_URL"), client.WithRequestEditorFn(withKey)))
	tournament := must(strconv.ParseInt(os.Getenv("TOURNAMENT"), 10, 64))
	event := must(strconv.ParseInt(os.Getenv("EVENT"), 10, 64))

	limit, from := int64(5), "2024-01-01"
	list := must(api.GetEventsWithResponse(ctx, &client.GetEventsParams{
		Tournament: &[]int64{tournament}, From: &from, Limit: &limit,
	}))
	detail := must(api.GetEventByIdWithResponse(ctx, event, nil))
	standings := must(api.GetTournamentStandingsByIdWithResponse(ctx, tournament, nil))
	missing := must(api.GetEventByIdWithResponse(ctx, 9007199254740991, nil))

	ids := []int64{}
	for _, match := range list.JSON200.Events {
		ids = append(ids, match.Id)
	}
	home, leader := detail.JSON200.Participants[0], standings.JSON200.Table[0]
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"ids": ids, "home": home.Name, "score": home.Score, "incidents": len(*detail.JSON200.Incidents),
		"leader": leader.Name, "points": leader.Points, "missing": missing.ApplicationproblemJSON404.Code,
	}))
}
