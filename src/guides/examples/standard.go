package receiver

import (
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Verified returns an error if the request is not from Touchline: reply with 400.
func Verified(header http.Header, body []byte) error {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET")) // whsec_…
	if err != nil {
		return err
	}
	return webhook.Verify(body, header)
}
