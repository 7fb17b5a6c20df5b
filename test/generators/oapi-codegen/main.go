// Prints what the service answers to the client that oapi-codegen has made.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"example.com/touchline/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

type operation struct {
	Id, Path string
	InPath   map[string]json.RawMessage
	Query    json.RawMessage
	Body     json.RawMessage
	Headers  map[string]string
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// Returns status and reply of an operation, whose method is found by its name.
func call(one operation) map[string]any {
	withHeaders := func(_ context.Context, request *http.Request) error {
		for name, value := range one.Headers {
			request.Header.Set(name, value)
		}
		return nil
	}
	api := must(client.NewClientWithResponses(os.Getenv("TOUCHLINE_URL"), client.WithRequestEditorFn(withHeaders)))
	method := reflect.ValueOf(api).MethodByName(strings.ToUpper(one.Id[:1]) + one.Id[1:] + "WithResponse")
	given := []json.RawMessage{}
	for _, name := range placeholder.FindAllStringSubmatch(one.Path, -1) {
		given = append(given, one.InPath[name[1]])
	}
	if method.Type().NumIn() > len(given)+2 && method.Type().In(len(given)+1).Kind() == reflect.Pointer {
		given = append(given, one.Query)
	}
	if string(one.Body) != "null" {
		given = append(given, one.Body)
	}
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for index, text := range given {
		value := reflect.New(method.Type().In(index + 1))
		must(0, json.Unmarshal(text, value.Interface()))
		arguments = append(arguments, value.Elem())
	}
	results := method.Call(arguments)
	if failure, isError := results[1].Interface().(error); isError {
		must(0, fmt.Errorf("%s: %w", one.Id, failure))
	}
	answer := results[0].Elem()
	found := map[string]any{"status": answer.MethodByName("StatusCode").Call(nil)[0].Int()}
	if reply := answer.FieldByName("JSON200"); reply.IsValid() {
		found["reply"] = reply.Interface()
	}
	return found
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

	operations, answers := []operation{}, map[string]any{}
	must(0, json.Unmarshal(must(os.ReadFile(os.Getenv("OPERATIONS"))), &operations))
	for _, one := range operations {
		answers[one.Id] = call(one)
	}

	ids := []int64{}
	for _, match := range list.JSON200.Events {
		ids = append(ids, *match.Id)
	}
	home, leader := (*detail.JSON200.Participants)[0], standings.JSON200.Table[0]
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"ids": ids, "home": home.Name, "score": home.Score, "incidents": len(*detail.JSON200.Incidents),
		"leader": leader.Name, "points": leader.Points, "missing": missing.ApplicationproblemJSON404.Code,
		"answers": answers,
	}))
}
