#!/usr/bin/env bash
# The step of action.yml: one check, and its outputs. Annotations and the summary of the step come from the check itself.
set -uo pipefail

# The action runs the checkout that the workflow names in `uses`; nothing of it has to be in a registry.
home=$GITHUB_ACTION_PATH
if ! [ -d "$home/node_modules" ]; then
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefix "$home" || {
    echo "::error title=touchstone::the dependencies of Touchstone could not be installed"
    exit 3
  }
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
node "$home/bin/touchstone.cjs" "${arguments[@]}"
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
