import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()  # whsec_…
TOLERANCE_SECONDS = 5 * 60
handled = set()  # belongs in your database: a delivery may be repeated


def is_from_touchline(headers, body):
    """body: the bytes as received, before any parsing"""
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    digest = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    wanted = f"v1={digest}".encode()
    # For 24 hours after a rotation there are two: v1=<hex>,v1=<hex>
    given = headers.get("X-Service-Signature", "").encode().split(b",")
    return any(hmac.compare_digest(one.strip(), wanted) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_from_touchline(self.headers, body):
            self.send_response(400)
            self.end_headers()
            return
        event = json.loads(body)
        # Asks once whether this address wants events; repeating the challenge in the reply confirms it.
        if event["type"] == "webhook.challenge":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(event["data"]["challenge"].encode())
            return
        if event["id"] not in handled:
            print(event["type"], event["id"], json.dumps(event["data"]), flush=True)
        handled.add(event["id"])
        self.send_response(204)
        self.end_headers()


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()
