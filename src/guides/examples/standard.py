import os

from standardwebhooks import Webhook  # pip install standardwebhooks

webhook = Webhook(os.environ["WEBHOOK_SECRET"])  # whsec_…


def verified(headers, body):
    """Raises WebhookVerificationError where the request is not from Touchline: answer 400."""
    return webhook.verify(body, {name.lower(): value for name, value in headers.items()})
