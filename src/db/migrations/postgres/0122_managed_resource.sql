-- What Kubernetes resources own. Only the resource may change it.
CREATE TABLE managed_resource (
  uid text PRIMARY KEY,                    -- of the resource
  kind text NOT NULL,                      -- Account, ApiKey, FeedToken, Plan, Source
  target text NOT NULL,                    -- the id of the account, key or token; the name of the plan or source
  namespace text NOT NULL,
  name text NOT NULL,
  installation text NOT NULL,              -- <namespace>/<name>
  cluster text,                            -- uid of kube-system; null if unknown
  UNIQUE (kind, target)
);
-- A namespace has one account, for which its keys and subscriptions act.
CREATE UNIQUE INDEX managed_resource_account ON managed_resource (coalesce(cluster, ''), namespace) WHERE kind = 'Account';
