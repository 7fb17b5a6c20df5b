-- Public sources that are declared beside the configured ones, such as by resources of Kubernetes.
CREATE TABLE declared_source (
  provider text PRIMARY KEY,
  definition jsonb NOT NULL,               -- {"provider", "scopes", "accept_terms", "daily_requests", "url"}
  changed_at timestamptz NOT NULL
);
