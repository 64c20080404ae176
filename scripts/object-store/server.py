"""An S3 server for tests: moto, behind a check of what moto takes on trust.

Signatures are worked out anew by botocore, AWS's own code; links end; bodies must have the hash that was signed; and two
writes never meet. Without arguments it is what the tests expect, on a port of its own; --help has the rest. Prints its
port on one line, answers each line of its standard input by "ok", and ends with it:

    now SECONDS     goes by this time, in seconds since 1970
    fail COUNT      so many requests are answered 503 SlowDown
    lose TEXT       the next write of a key with the text in it is done, and answered 500
"""

import argparse
import hashlib
import io
import logging
import os
import sys
import threading
import time
from datetime import datetime, timezone
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

# Buckets stand in paths, whatever the host is called. It is read when moto is imported.
os.environ["S3_IGNORE_SUBDOMAIN_BUCKETNAME"] = "true"

import boto3
from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

KEY, REGION, BUCKET = "AKIDTEST:test-secret", "eu-test-1", "words"
# Where a bucket is made without saying so.
STANDARD_REGION = "us-east-1"
SKEW = 15 * 60  # seconds, as S3
HASH_HEADER = "HTTP_X_AMZ_CONTENT_SHA256"


class Refusal(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


class Checked:
    """Refuses what a real store refuses; hands the rest to moto, one request at a time."""

    def __init__(self, application, options):
        self.application, self.lock = application, threading.Lock()
        self.region, self.secrets = options.region, dict(filter(None, (options.key, options.reader)))
        self.readers = dict(filter(None, (options.reader,)))
        self.offset, self.failures, self.lost = 0.0, 0, None

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] == "/healthz":  # As SeaweedFS, of anybody.
            start_response("200 OK", [])
            return []
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        with self.lock:
            try:
                self.check(environ, body)
                return self.answer(environ, start_response)
            except Refusal as refusal:
                document = f"<?xml version='1.0'?><Error><Code>{refusal.code}</Code></Error>".encode()
                start_response(refusal.status, [("Content-Type", "application/xml")])
                return [] if environ["REQUEST_METHOD"] == "HEAD" else [document]

    def control(self, line):
        command, value = line.split()
        with self.lock:
            if command == "now":
                self.offset = float(value) - time.time()
            elif command == "fail":
                self.failures = int(value)
            else:
                self.lost = value

    def answer(self, environ, start_response):
        if self.lost and environ["REQUEST_METHOD"] == "PUT" and self.lost in environ["PATH_INFO"]:
            self.lost = None
            list(self.application(environ, lambda *_: None))
            raise Refusal("500 Internal Server Error", "InternalError")
        return list(self.application(environ, start_response))

    def check(self, environ, body):
        if self.failures:
            self.failures -= 1
            raise Refusal("503 Slow Down", "SlowDown")
        query = parse_qsl(urlsplit(environ["RAW_URI"]).query, keep_blank_values=True)
        if "X-Amz-Signature" in dict(query):
            self.check_link(environ, dict(query))
        else:
            self.check_headers(environ, body)

    def now(self):
        return time.time() + self.offset

    def check_headers(self, environ, body):
        try:
            scheme, fields = environ["HTTP_AUTHORIZATION"].split(" ", 1)
            parts = dict(part.strip().split("=", 1) for part in fields.split(","))
            names, id = parts["SignedHeaders"].split(";"), parts["Credential"].split("/")[0]
        except (KeyError, ValueError):
            raise Refusal("403 Forbidden", "AccessDenied") from None
        if id in self.readers and environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            raise Refusal("403 Forbidden", "AccessDenied")
        if hashlib.sha256(body).hexdigest() != environ.get(HASH_HEADER):
            raise Refusal("400 Bad Request", "XAmzContentSHA256Mismatch")
        headers = {name: environ[header_variable(name)] for name in names}
        stamp = headers["x-amz-date"]
        if abs(self.now() - seconds(stamp)) > SKEW:
            raise Refusal("403 Forbidden", "RequestTimeTooSkewed")
        request = AWSRequest(method=environ["REQUEST_METHOD"], url=url(environ, None), headers=headers)
        self.compare(S3SigV4Auth, request, stamp, id, parts["Signature"])

    def check_link(self, environ, query):
        if self.now() > seconds(query["X-Amz-Date"]) + int(query["X-Amz-Expires"]):
            raise Refusal("403 Forbidden", "AccessDenied")
        signature = query.pop("X-Amz-Signature")
        request = AWSRequest(
            method=environ["REQUEST_METHOD"], url=url(environ, query), headers={"host": environ["HTTP_HOST"]})
        id = query["X-Amz-Credential"].split("/")[0]
        self.compare(S3SigV4QueryAuth, request, query["X-Amz-Date"], id, signature)

    def compare(self, scheme, request, stamp, id, given):
        if id not in self.secrets:
            raise Refusal("403 Forbidden", "InvalidAccessKeyId")
        auth = scheme(Credentials(id, self.secrets[id]), "s3", self.region)
        request.context["timestamp"] = stamp
        text = auth.string_to_sign(request, auth.canonical_request(request))
        if auth.signature(text, request) != given:
            raise Refusal("403 Forbidden", "SignatureDoesNotMatch")


def header_variable(name):
    variable = name.upper().replace("-", "_")
    return variable if variable in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{variable}"


def url(environ, query):
    raw = urlsplit(environ["RAW_URI"])
    text = raw.query if query is None else urlencode(query, quote_via=quote)
    return f"http://{environ['HTTP_HOST']}{raw.path}" + (f"?{text}" if text else "")


def seconds(stamp):
    return datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc).timestamp()


class QuietHandler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *_):
        pass


def key(text):
    return tuple(text.split(":", 1))


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--bucket", default=BUCKET)
    parser.add_argument("--region", default=REGION)
    parser.add_argument("--key", type=key, default=key(KEY), help="ID:SECRET of somebody who may do anything")
    parser.add_argument("--reader", type=key, help="of somebody who may read")
    return parser.parse_args()


def main():
    logging.disable(logging.CRITICAL)
    options = arguments()
    checked = Checked(DomainDispatcherApplication(create_backend_app), options)
    server = make_server(options.host, options.port, checked, threaded=True, request_handler=QuietHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    id, secret = options.key
    place = {} if options.region == STANDARD_REGION else {
        "CreateBucketConfiguration": {"LocationConstraint": options.region}}
    boto3.client(
        "s3", endpoint_url=f"http://{options.host}:{port}", region_name=options.region, aws_access_key_id=id,
        aws_secret_access_key=secret,
    ).create_bucket(Bucket=options.bucket, **place)
    print(port, flush=True)
    for line in sys.stdin:
        checked.control(line)
        print("ok", flush=True)


main()
