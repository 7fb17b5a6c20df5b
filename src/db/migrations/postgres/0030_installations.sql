-- The installation whose operator stored the subscription of a custom resource.
ALTER TABLE webhook_subscription
  ADD managed_installation text,                      -- <namespace>/<name>; null if an older version stored it
  ADD managed_cluster text;                           -- uid of the namespace kube-system; null if unknown
-- The installation that serves the custom resources of a namespace: its operator renews the row.
CREATE TABLE operator_namespace (
  cluster text NOT NULL,                              -- as above; '' if unknown
  namespace text NOT NULL,
  installation text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (cluster, namespace)
);
