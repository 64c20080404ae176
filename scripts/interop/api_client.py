"""Apple's client of the Server API, with what it answers compared."""

from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient

from world import APP

UNKNOWN = "999999999999999"
DAY = 86_400_000  # milliseconds


def client(shop, key=None):
    api = AppStoreServerAPIClient(
        key or shop.key["privateKey"].encode(), shop.key["keyID"], shop.key["issuerID"], APP, shop.environment)
    api._base_url = shop.server_api  # The library knows Apple's addresses only.
    return api


class Calls:
    def __init__(self, shop, checks):
        self.shop, self.checks, self.api = shop, checks, client(shop)
        self.name = shop.environment.value

    def call(self, method, *arguments):
        return self.checks.succeeds(f"{self.name} {method}", getattr(self.api, method), *arguments)

    def refused(self, status, code, method, *arguments, api=None):
        what = f"{self.name} {method}, to be refused"
        try:
            getattr(api or self.api, method)(*arguments)
        except APIException as error:
            self.checks.equal((error.http_status_code, error.raw_api_error), (status, code), what)
        else:
            self.checks.expect(False, f"{what}: it was not")

    def equal(self, found, expected, what):
        return self.checks.equal(found, expected, f"{self.name} {what}")
