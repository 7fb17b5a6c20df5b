/** PLANS for a service that is measured. The key's plan sets no limits on requests. */
export const OPEN_PLANS = JSON.stringify({
  default: 'business',
  plans: [
    {
      name: 'business',
      title: 'Business',
      connections: 5,
      publishable_connections: 1_000,
      stream: true,
      webhooks: true,
    },
  ],
});
