#!/usr/bin/env bash
# Repeats a request until the response contains a status, for at most a minute (WAIT_SECONDS):
#   bash scripts/wait-for.sh READY "$BASE/api/v1/knowledge/documents/$ID" -H "Authorization: Bearer $KEY"
# Stops at FAILED, at every error and when the time is over, and prints the reason. All arguments but the first are curl's.
set -u

status=$1
shift
refuse() {
  printf 'wait-for.sh: %s\n%s\n' "$1" "${response:-}" >&2
  exit 1
}
has() { grep -Eq "\"($1)\"" <<< "$response"; }

while :; do
  answer=$(curl -sS -w '\n%{http_code}' "$@" 2>&1) || { response=$answer && refuse 'the request failed'; }
  response=${answer%$'\n'*} code=${answer##*$'\n'}
  # A file:// has the code 000.
  case $code in 2?? | 000) ;; *) refuse "the service answered $code" ;; esac
  if has "$status" && ! has PROCESSING; then exit 0; fi
  if has 'FAILED|CANCELLED|errors'; then refuse "it is not $status:"; fi
  if ((SECONDS >= ${WAIT_SECONDS:-60})); then refuse "it is not $status after ${WAIT_SECONDS:-60} seconds:"; fi
  sleep 1
done
