package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

// body: the bytes as received, before any parsing.
func isFromTouchline(header http.Header, body []byte, secret string) bool {
	timestamp := header.Get("X-Service-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	wanted := "v1=" + hex.EncodeToString(mac.Sum(nil))
	// For 24 hours after a rotation there are two: v1=<hex>,v1=<hex>
	for _, given := range strings.Split(header.Get("X-Service-Signature"), ",") {
		if hmac.Equal([]byte(strings.TrimSpace(given)), []byte(wanted)) {
			return true
		}
	}
	return false
}

type event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET") // whsec_…
	var handled sync.Map                  // belongs in your database: a delivery may be repeated
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		var e event
		if err != nil || !isFromTouchline(r.Header, body, secret) || json.Unmarshal(body, &e) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// Asks once whether this address wants events; repeating the challenge in the reply confirms it.
		if e.Type == "webhook.challenge" {
			var asked struct{ Challenge string }
			if json.Unmarshal(e.Data, &asked) == nil {
				io.WriteString(w, asked.Challenge)
			}
			return
		}
		if _, again := handled.LoadOrStore(e.ID, true); !again {
			fmt.Println(e.Type, e.ID, string(e.Data))
		}
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}
