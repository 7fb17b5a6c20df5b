import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.kafka.KafkaClusterSpec;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.util.List;
import java.util.Map;

/**
 * Reads YAML documents from standard input into the classes with which Strimzi's operators read them, and prints the kind and the
 * name of each document. Fails if a class does not know a field, or if Strimzi would ignore a setting of the brokers.
 */
public class ReadStrimzi {
    static final Map<String, Class<?>> KINDS =
            Map.of(
                    "Kafka", Kafka.class,
                    "KafkaNodePool", KafkaNodePool.class,
                    "KafkaTopic", KafkaTopic.class,
                    "KafkaUser", KafkaUser.class);

    /** Strimzi's classes collect unknown fields and log them. Without the methods that collect them, Jackson refuses such fields. */
    static class Strict extends JacksonAnnotationIntrospector {
        @Override
        public Boolean hasAnySetter(Annotated method) {
            return false;
        }

        @Override
        public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated type) {
            return super.findPropertyIgnoralByName(config, type).withoutIgnoreUnknown();
        }
    }

    static boolean startsWithOneOf(String setting, String prefixes) {
        return List.of(prefixes.split(", ")).stream().anyMatch(setting::startsWith);
    }

    static boolean isIgnored(String setting) {
        return startsWithOneOf(setting, KafkaClusterSpec.FORBIDDEN_PREFIXES)
                && !startsWithOneOf(setting, KafkaClusterSpec.FORBIDDEN_PREFIX_EXCEPTIONS);
    }

    public static void main(String[] arguments) throws Exception {
        YAMLMapper mapper = new YAMLMapper();
        mapper.setAnnotationIntrospector(new Strict());
        mapper.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        for (JsonNode document : mapper.readerFor(JsonNode.class).<JsonNode>readValues(System.in).readAll()) {
            String kind = document.get("kind").asText();
            Object resource = mapper.treeToValue(document, KINDS.get(kind));
            if (resource instanceof Kafka kafka)
                for (String setting : kafka.getSpec().getKafka().getConfig().keySet())
                    if (isIgnored(setting)) throw new IllegalArgumentException("Strimzi ignores the setting " + setting);
            System.out.println(kind + " " + document.get("metadata").get("name").asText());
        }
    }
}
