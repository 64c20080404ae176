# The front door. `make help` lists what there is.
# Ports: QUARTERMASTER_PORT and QUARTERMASTER_SIMULATOR_PORT, 8080 and 8090 where unset.

IMPORT_CHECK = --explicit-target-dependency-import-check error
# With Swift's libraries inside: nothing of Swift is needed where it runs, and calls into them are shorter.
STATIC = --static-swift-stdlib
# As scripts/build.sh has it: with other flags everything would be built again.
RELEASE = -c release -Xswiftc -enforce-exclusivity=unchecked
OPENAPI_PYTHON = .build/openapi-venv/bin/python -B
SWIFT_FILES = Sources Tests Plugins examples Package.swift

.DEFAULT_GOAL = help
.PHONY: help setup setup-tests build build-hangman build-tests run hangman test test-changed test-cluster test-s3 demo bench bench-quick bench-instructions bench-picture bench-verification fuzz interop check-metrics check-bodies check-downloads check-nginx pin-images check-image check-compose check-garbage check-hangman check-client check-pages check-unused check-fuzz check-style check-storekit check-consumer check-workflows check check-guide check-reports docs site man format check-format clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Check for Swift and install the packages that this machine lacks (Debian, Ubuntu)
	@scripts/setup.sh

setup-tests: ## The same, and PostgreSQL's server, which the tests start by themselves
	@scripts/setup.sh tests

build: setup ## Build the server, optimised and stripped: .build/release/quartermaster
	@scripts/build.sh $(IMPORT_CHECK)

run: build ## Build, then serve a copy of the sample shop with the simulated App Store, in var
	@scripts/run.sh

# HANGMAN_BINARY names a game that is built already.
build-hangman: $(if $(HANGMAN_BINARY),,setup) ## Build the game for terminals: .build/release/hangman
	$(if $(HANGMAN_BINARY),,swift build $(RELEASE) --product hangman $(IMPORT_CHECK))

hangman: $(if $(QUARTERMASTER_BINARY),,build) build-hangman ## Play Hangman in the terminal, with a server of its own where none answers
	@scripts/hangman.sh

# scripts/build-tests.sh explains where what is built.
build-tests: setup-tests ## Build every test, optimised; TESTS_BUILT=1 has make test run them as they are
	@scripts/build-tests.sh $(IMPORT_CHECK)

test: setup-tests ## Build and run every test, TESTS_AT_ONCE (16) beside each other; ONLY='TARGET …' and FILTER=REGEX for some
	@scripts/object-store/tools.sh
	@scripts/test.sh $(IMPORT_CHECK)

test-changed: setup-tests ## The same for the test targets that depend on what changed since main
	@scripts/object-store/tools.sh
	@only=$$(scripts/changed_tests.py) && { [ -z "$$only" ] || ONLY="$$only" scripts/test.sh $(IMPORT_CHECK); }

test-cluster: setup-tests $(if $(QUARTERMASTER_BINARY),,build) ## Kill servers and their PostgreSQL while players pay
	@scripts/cluster/cluster.sh

test-s3: setup ## Try object stores against a real one, Ceph's gateway as Debian has it
	@scripts/object-store/ceph.sh

# QUARTERMASTER_BINARY names a server that is built already.
demo: $(if $(QUARTERMASTER_BINARY),setup,build) ## Play the fourteen steps of a purchase against a fresh server
	@scripts/demo.sh

.PHONY: check-newcomer
check-newcomer: $(if $(QUARTERMASTER_BINARY),setup,build) ## Count and play the commands from an empty folder to a pack that is delivered
	@scripts/check-newcomer.sh

bench: setup-tests $(if $(QUARTERMASTER_BINARY),,build) ## Measure the server beside nginx: a table, and var/bench.json
	@scripts/bench/bench.sh
	@$(MAKE) --no-print-directory bench-verification

bench-picture: ## Draw docs/operate/growth.svg of what make bench measured
	@python3 -B scripts/bench/growth.py

bench-quick: setup-tests $(if $(QUARTERMASTER_BINARY),,build) ## The same in a minute: that it works, not how fast it is
	@scripts/bench/bench.sh --quick

# COUNT='list receipt' counts these alone; WRITE=1 writes the counts to the file that later ones are compared with;
# PROFILES=FOLDER leaves the profiles there. HISTORIES=1 compares accounts that bought little and much instead.
bench-instructions: $(if $(QUARTERMASTER_BINARY),setup,build) ## Count what the server executes for a request, and compare with scripts/bench/instructions.json
	@scripts/bench/instructions.sh $(if $(HISTORIES),--histories) $(if $(WRITE),--write) $(if $(PROFILES),--profiles $(PROFILES)) $(COUNT)

bench-verification: setup ## Measure the verification of signed data beside openssl and Apple's library for Python
	DEVELOPMENT_TOOLS=1 swift build $(RELEASE) --product verification-bench $(STATIC)
	@scripts/bench/verification.sh

fuzz: setup ## Fuzz what strangers can send, FUZZ_SECONDS (600) for each target
	@scripts/fuzz.sh

interop: $(if $(QUARTERMASTER_BINARY),setup,build) ## Compare server and simulator with Apple's library for Python
	@scripts/interop/interop.sh

check-metrics: $(if $(QUARTERMASTER_BINARY),setup,build) ## Have promtool check what a server with some traffic measures
	@scripts/check-metrics.sh

.PHONY: check-faults
check-faults: $(if $(QUARTERMASTER_BINARY),setup-tests,build setup-tests) ## Cause faults such as a full disk at real servers, and see each told by status and by an alert, until it is mended
	@scripts/check-faults.sh $(FAULTS)

check-bodies: $(if $(QUARTERMASTER_BINARY),setup,build) ## Send bodies made to be costly to every route, and hold 500: processor time and memory
	@scripts/check-bodies.sh

check-downloads: $(if $(QUARTERMASTER_BINARY),setup,build) ## Cut off curl, wget and aria2 in a large download, and compare the bytes
	@scripts/check-downloads.sh

check-nginx: $(if $(QUARTERMASTER_BINARY),setup,build) ## Have a real nginx and a real Caddy in front, with TLS, as examples/nginx and examples/caddy say
	@scripts/check-nginx.sh

# Both build the server in a container, again after a change of what it is built of.
pin-images: ## Write the digest of each base image, as its registry has it now, into the Dockerfile and the Compose files
	@scripts/pin-images.sh

check-image: setup ## Build the image of the Dockerfile with podman, and play the demo in it; needs root
	@scripts/check-image.sh

check-compose: setup ## Start what both Compose files say with podman-compose, and shop there; needs root
	@scripts/check-compose.sh

.PHONY: check-systemd
check-systemd: $(if $(QUARTERMASTER_BINARY),setup,build) ## Boot a Debian in a container, install the systemd units as the page says, and play starts, stops, timers and failures; needs root
	@scripts/check-systemd.sh

# QUARTERMASTER_BINARY names a server that is built already.
check-garbage: $(if $(QUARTERMASTER_BINARY),setup,build) ## Send 200 MB of what is no receipt, and see what the ledger keeps
	@scripts/check-garbage.sh

check-hangman: $(if $(QUARTERMASTER_BINARY),setup,build) build-hangman ## Play Hangman in a terminal from the first start to the last way out; PAGES=1 writes its screens to the pages
	@scripts/check-hangman.sh $(if $(PAGES),--pages)

.PHONY: check-admin
check-admin: $(if $(QUARTERMASTER_BINARY),setup,build) ## Use the pages for administrators with a browser, and check that everybody can; SCREENSHOTS=FOLDER leaves pictures
	@scripts/check-admin.sh $(if $(QUICK),--quick)

check-client: $(if $(QUARTERMASTER_BINARY),setup,build) build-hangman ## Have the client download and spend over a network that lies and breaks, and kill it
	@scripts/client/check-client.sh
	@QUARTERMASTER_CLIENT_STARTS=50 FILTER=QuartermasterClientTests.PurchaseTests/ scripts/test.sh $(IMPORT_CHECK)

check-pages: $(if $(QUARTERMASTER_BINARY),setup,build) ## Play the commands of README and docs against a server, and look up what pages refer to
	@scripts/check-pages.sh

check-unused: setup ## Fail for code that only tests call; after a build of the tests
	@PYTHONPATH=scripts/bench:scripts/symbols python3 -B scripts/symbols/unused.py

.PHONY: check-tools
check-tools: setup ## Compile the programs that only other checks build: fuzz targets, a server of another's handlers, a benchmark
	@for target in fuzz gazette verification-bench; do DEVELOPMENT_TOOLS=all swift build --ignore-lock --target $$target || exit; done

check-fuzz: setup ## Show the way from a route to what each fuzz target calls; after a build of the tests
	@PYTHONPATH=scripts/bench:scripts/symbols python3 -B scripts/symbols/fuzz.py

.PHONY: check-backfill
check-backfill: $(if $(QUARTERMASTER_BINARY),setup,build) ## Read 100,000 receipts of an earlier release for facts, killed twice, and compare the rows
	@QUARTERMASTER_BACKFILL=all FILTER=FactsBackfillTests scripts/test.sh $(IMPORT_CHECK)
	@scripts/check-backfill.sh

check: setup-tests ## Run what is too long for CI, or ONLY='…' of it; says when each passed in docs/develop/checked.md
	@scripts/check.py $(ONLY)

check-style: ## Count what the house rules forbid in Swift files; scripts/check_style.py --list tells each place
	@python3 -B scripts/check_style.py

.PHONY: check-scripts
check-scripts: ## Test the scripts that judge others: scripts/tests, in seconds
	@scripts/check-scripts.sh

check-storekit: setup ## Type-check the client as on Apple's platforms, against declarations of StoreKit and the keychain
	@scripts/check-storekit.sh

.PHONY: check-availability
check-availability: setup ## Compare each symbol that the client uses with the oldest of Apple's systems that the package supports, and with its privacy manifest
	@scripts/check-availability.sh

.PHONY: public-api check-public-api
public-api: setup ## Write what the libraries declare public to scripts/symbols/public-api; CHANGELOG.md has to name what is removed or changed
	@scripts/check-public-api.sh --write

check-public-api: setup ## Fail if the libraries declare something else public than scripts/symbols/public-api has
	@scripts/check-public-api.sh

check-consumer: $(if $(QUARTERMASTER_BINARY),setup,build) ## Use the client library from a package outside: fetches, builds, buys
	@scripts/check-consumer.sh

check-workflows: ## Check the workflows of GitHub: their form, their commands, and what an attacker could use
	@scripts/check-workflows.sh

check-reports: setup-tests ## Compare reports with scripts/reports/fold.py over REPORT_HISTORIES (20,000) random histories
	@QUARTERMASTER_REPORT_HISTORIES=$(or $(REPORT_HISTORIES),20000) FILTER=ReportFoldTests scripts/test.sh $(IMPORT_CHECK)

.PHONY: check-histories
check-histories: setup-tests ## Compare ledgers with the fold of all purchases, and with the rules for payers, over HISTORIES (20,000) random histories each
	@QUARTERMASTER_STANDING_HISTORIES=$(or $(HISTORIES),20000) TESTS_AT_ONCE=4 \
		FILTER=StandingHistoryTests scripts/test.sh $(IMPORT_CHECK)
	@QUARTERMASTER_PAYER_HISTORIES=$(or $(HISTORIES),20000) TESTS_AT_ONCE=4 TESTS_BUILT=1 \
		FILTER=PayerHistoryTests scripts/test.sh

.PHONY: check-campaigns
check-campaigns: setup-tests ## Run every test with ten times the random histories
	@CAMPAIGNS=whole $(MAKE) --no-print-directory test

check-guide: setup ## Do what docs/develop/adding-a-product-type.md says, in an empty folder, and test the server it makes
	@scripts/check-guide.sh
	for program in gazette quartermaster; do DEVELOPMENT_TOOLS=1 swift build --product $$program || exit; done
	@DEVELOPMENT_TOOLS=1 ONLY=FreeSubscriptionTests FILTER=CustomServerTests scripts/test.sh

# MARK: - The description of the HTTP interface

.PHONY: api-docs check-api-docs check-openapi check-generated-client check-traffic

# With RECORD=FILE, made with QUARTERMASTER_RECORD=FILE make test, the examples are copied from it first.
api-docs: ## Render docs/openapi.yaml as docs/app/api.md and docs/app/api/
	@scripts/openapi/tools.sh
	$(if $(RECORD),@$(OPENAPI_PYTHON) scripts/openapi/examples.py $(RECORD))
	@$(OPENAPI_PYTHON) scripts/openapi/render.py

check-api-docs: ## Fail if docs/openapi.yaml breaks a client or differs from these pages or the sources' codes
	@scripts/openapi/tools.sh
	@$(OPENAPI_PYTHON) -m openapi_spec_validator docs/openapi.yaml docs/openapi-simulator.yaml
	@$(OPENAPI_PYTHON) scripts/openapi/render.py --check
	@$(OPENAPI_PYTHON) scripts/openapi/examples.py --check
	@$(OPENAPI_PYTHON) scripts/openapi/words.py
	@$(OPENAPI_PYTHON) scripts/openapi/compatibility.py

check-traffic: ## Compare the exchanges of RECORD, made with QUARTERMASTER_RECORD=FILE make test, with the descriptions
	@scripts/openapi/tools.sh
	@$(OPENAPI_PYTHON) scripts/openapi/traffic.py $(or $(RECORD),$(error RECORD names the file))

# QUARTERMASTER_BINARY names a server that is built already.
check-openapi: $(if $(QUARTERMASTER_BINARY),setup,build) ## Have schemathesis try every operation, 100,000 cases or with EXAMPLES=20 a few
	@scripts/openapi/schemathesis.sh --of server $(if $(EXAMPLES),--examples $(EXAMPLES),--cases 100000)
	@scripts/openapi/schemathesis.sh --of simulator $(if $(EXAMPLES),--examples $(EXAMPLES),--examples 200 --cases 20000)

check-generated-client: $(if $(QUARTERMASTER_BINARY),setup,build) ## Buy and download with a client that openapi-python-client generates
	@scripts/openapi/generated-client.sh

site: ## Build the web site of the pages alone, in .build/site; a dead link fails it
	@scripts/docs/site.sh

docs: setup site ## Build the web site in .build/site and the reference of the libraries in .build/docc; a dead link fails it, also in a doc comment of any module
	@scripts/docs/docc.sh

# QUARTERMASTER_BINARY names a server that is built already.
man: $(if $(QUARTERMASTER_BINARY),,build) ## Make man pages of the commands' help, in .build/man
	@python3 -B scripts/man_pages.py $(or $(QUARTERMASTER_BINARY),.build/release/quartermaster) .build/man

format: ## Format every Swift file in place
	swift format format --in-place --recursive $(SWIFT_FILES)

check-format: ## Fail where a Swift file is not formatted or breaks a rule of .swift-format
	swift format lint --strict --recursive $(SWIFT_FILES)

clean: ## Remove what was built; var/ with its database stays
	swift package clean
