-- What a subscription's owner was told last, so that a lease that moves neither loses nor repeats a notice.
ALTER TABLE webhook_subscription
  ADD notified text,                           -- failing, disabled; null if it has recovered since
  ADD notified_at timestamptz;
