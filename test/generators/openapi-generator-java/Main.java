import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.CompetitionsApi;
import org.openapitools.client.api.MatchesApi;
import org.openapitools.client.model.GetEvents200Response;
import org.openapitools.client.model.PartialMatch;
import org.openapitools.client.model.PartialMatchDetail;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Standings;

/** Prints what the service answers to the Java client that openapi-generator has made. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("TOUCHLINE_URL"));
        client.addDefaultHeader("X-API-Key", System.getenv("TOUCHLINE_KEY"));
        Long tournament = Long.valueOf(System.getenv("TOURNAMENT"));
        Long event = Long.valueOf(System.getenv("EVENT"));
        MatchesApi matches = new MatchesApi(client);

        GetEvents200Response list =
                matches.getEvents().tournament(List.of(tournament)).from("2024-01-01").limit(5L).execute();
        PartialMatchDetail detail = matches.getEventById(event).execute();
        Standings standings = new CompetitionsApi(client).getTournamentStandingsById(tournament).execute();
        String missing = null;
        try {
            matches.getEventById(9007199254740991L).execute();
        } catch (ApiException failure) {
            missing = Problem.fromJson(failure.getResponseBody()).getCode().getValue();
        }

        List<Long> ids = list.getEvents().stream().map(PartialMatch::getId).collect(Collectors.toList());
        Long points = standings.getTable().get(0).getPoints();
        Long score = detail.getParticipants().get(0).getScore();
        System.out.println(JSON.serialize(Map.of(
                "ids", ids,
                "home", detail.getParticipants().get(0).getName(),
                "score", score,
                "incidents", detail.getIncidents().size(),
                "leader", standings.getTable().get(0).getName(),
                "points", points,
                "missing", missing)));
    }
}
