-- Where a subscription's events go if not to a URL. `url` is then an address without secrets, such as kafka://host:9093/topic.
ALTER TABLE webhook_subscription
  ADD destination jsonb,          -- {"kind", …} with the settings of the kind; its secret is null
  ADD destination_secret text;    -- encrypted with SECRET_KEY
