#!/usr/bin/env bash
# The step of action.yml: one check, and its outputs. Annotations and the summary of the step come from the check itself.
set -uo pipefail

# npx takes folders and addresses too; here it is a version or nothing.
if ! [[ ${INPUT_VERSION:-} =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
  echo "::error title=touchstone::the input version must be a version such as 1.2.3"
  exit 2
fi

output=${INPUT_OUTPUT:-touchstone-report}
arguments=(check "--depth=${INPUT_DEPTH:-standard}" "--output=$output" --format console,json,junit)
[ "${INPUT_STRICT:-false}" = true ] && arguments+=(--strict)
[ -n "${INPUT_PROFILE:-}" ] && arguments+=("--profile=$INPUT_PROFILE")
[ -n "${INPUT_ONLY:-}" ] && arguments+=("--only=$INPUT_ONLY")
[ -n "${INPUT_SKIP:-}" ] && arguments+=("--skip=$INPUT_SKIP")
[ -n "${INPUT_ADDRESS:-}" ] && arguments+=(-- "$INPUT_ADDRESS")

# An older report must not be taken for this one's.
rm -f -- "$output/report.json"
npx --yes "touchstone@$INPUT_VERSION" "${arguments[@]}"
code=$?

verdict=none failed=0
if [ -f "$output/report.json" ]; then
  read -r verdict failed < <(
    node -e '
      const { outcome, counts } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
      console.log(/^[a-z]+$/.test(outcome) ? outcome : "none", Number(counts.fail));
    ' "$output/report.json"
  )
fi
{
  echo "verdict=$verdict"
  echo "failed=$failed"
  printf 'report=%s\n' "${output//[$'\r\n']/}"
} >>"$GITHUB_OUTPUT"

[ "${INPUT_FAIL:-true}" = false ] && [ "$verdict" != none ] && exit 0
exit "$code"
