#!/usr/bin/env bash
# memfit - SPDX-License-Identifier: Apache-2.0
#
# Builds and tests:  bash tests/run.sh [WORD...]
#
#   build       everything, no test: native tools and tests, the site, the wasm tests
#   unit        GoogleTest natively; the answers to random queries against their recording
#   sanitize    the same with AddressSanitizer and UndefinedBehaviorSanitizer
#   wasm        GoogleTest as WebAssembly in Node.js; the Embind module in Node.js
#   browser     Chromium, Firefox and WebKit against the built page; shaders through glslangValidator
#   accuracy    memfit-accuracy over tests/data/truth
#   lint        clang-format and clang-tidy; prettier and the TypeScript compiler over the JavaScript
#   fuzz        libFuzzer on what reads untrusted input (MEMFIT_FUZZ_SECONDS each, 60)
#   bench       Google Benchmark, and the cost of the page's frames
#   screenshots pictures of the page to look at, and sheets of them, into build/artifacts/screens; restricted by
#               words behind it: screenshots lang=fr size=390x844 ratio=1 theme=dark state=map,advice
#   toolchains  the oldest and newest compilers: gcc, clang 14, and Emscripten of Debian forky
#
# No word: everything but lint, fuzz, bench, screenshots and toolchains. Missing packages are installed first
# (as root on Debian). The last line is the sum of all: `N passed, N failed`.

source "$(dirname "${BASH_SOURCE[0]}")/../web/setup.sh"
cd "$memfitRoot"

words=() pictures=()
for word in "$@"; do
  case $word in
    *=* | long) pictures+=("$word") ;;
    *) words+=("$word") ;;
  esac
done
[ ${#words[@]} -gt 0 ] || words=(build unit sanitize wasm browser accuracy)

passed=0 failed=0 summaries=()
logs=$memfitRoot/build/logs
mkdir -p "$logs"

# check NAME COMMAND...: one more test that passes when the command does.
check() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    summaries+=("$name: passed")
  else
    failed=$((failed + 1))
    summaries+=("$name: FAILED")
  fi
}

# googleTest NAME COMMAND...: counts from GoogleTest's own summary. A crash has none and is one failure.
googleTest() {
  local name=$1 log=$logs/$1.log status=0 good bad
  shift
  "$@" 2>&1 | tee "$log" || status=$?
  good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests\{0,1\}\..*/\1/p' "$log" | tail -n 1)
  bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) tests\{0,1\}, listed below:.*/\1/p' "$log" | tail -n 1)
  if [ "$status" != 0 ] && [ "${bad:-0}" = 0 ]; then bad=1; fi
  if [ "$status" = 0 ] && [ "${good:-0}" = 0 ]; then bad=1; fi
  passed=$((passed + ${good:-0}))
  failed=$((failed + ${bad:-0}))
  summaries+=("$name: $(grep -E '^\[  (PASSED|FAILED)  \] [0-9]+ test' "$log" | tail -n 2 | tr '\n' ' ' || true)")
}

# nodeTest NAME FILE...: the same for Node.js's test runner, under the command in `display` where one is set.
display=()
nodeTest() {
  local name=$1 log=$logs/$1.tap status=0 good bad
  shift
  "${display[@]}" node --test --test-concurrency=1 --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination="$log" "$@" || status=$?
  good=$(sed -n 's/^# pass \([0-9]*\)$/\1/p' "$log" | tail -n 1)
  bad=$(sed -n 's/^# \(fail\|cancelled\) \([0-9]*\)$/\2/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
  if [ "$status" != 0 ] && [ "${bad:-0}" = 0 ]; then bad=1; fi
  if [ "$status" = 0 ] && [ "${good:-0}" = 0 ]; then bad=1; fi
  passed=$((passed + ${good:-0}))
  failed=$((failed + ${bad:-0}))
  summaries+=("$name: pass ${good:-0}, fail ${bad:-0}")
}

# Builds are made once a run, whichever words ask for them.
built=" "
once() {
  case $built in *" $1 "*) return ;; esac
  built="$built$1 "
  case $1 in
    native)
      memfitNeed native web
      memfitBuildNative native
      ;;
    sanitize)
      memfitNeed native web
      memfitBuildNative native-sanitize
      ;;
    site)
      memfitNeed native web
      memfitBuildWeb site
      ;;
    wasm-tests)
      memfitNeed native web
      memfitBuildWeb memfit_tests
      ;;
    npm)
      memfitNeed node
      memfitNpmCi "$memfitRoot/tests"
      ;;
  esac
}

lane_build() {
  once native
  once site
  once wasm-tests
}

# The answers to two thousand random queries are those of the recording (tests/answers/answers.mjs).
lane_unit() {
  once native
  memfitNeed node
  googleTest unit build/native/tests/memfit_tests
  check answers node tests/answers/answers.mjs --check
}

lane_sanitize() {
  once sanitize
  UBSAN_OPTIONS=print_stacktrace=1 googleTest sanitize build/native-sanitize/tests/memfit_tests
}

lane_wasm() {
  once native
  once site
  once wasm-tests
  once npm
  googleTest wasm node build/web-cmake/tests/memfit_tests.js
  nodeTest js tests/js/*_test.js
}

lane_browser() {
  local shader
  once site
  once npm
  memfitNeed browser firefox webkit
  for shader in shaders/*.vert shaders/*.frag; do
    if [ -e "$shader" ]; then check "$shader" glslangValidator "$shader"; fi
  done
  nodeTest browser tests/browser/*_test.js
  # Firefox's and WebKit's windows want a display; so they have WebGL 2 wherever this runs.
  local display=(xvfb-run -a -s "-screen 0 1920x1200x24")
  MEMFIT_BROWSER=firefox nodeTest browser-firefox tests/browser/*_test.js
  nodeTest browser-webkit tests/browser/webkit/*_test.js
}

# Every figure of every truth file against its target. `MEMFIT_README=README.md` writes the README's table as well.
lane_accuracy() {
  local file results=build/artifacts/accuracy
  once native
  memfitNeed node
  rm -rf "$results"
  mkdir -p "$results"
  for file in tests/data/truth/*.jsonl; do
    build/native/memfit-accuracy "$file" >"$results/$(basename "$file" .jsonl).json"
  done
  check accuracy node tests/accuracy/targets.mjs "$results" ${MEMFIT_README:-}
}

lane_lint() {
  memfitNeed lint
  once native
  check clang-format bash -c 'clang-format --dry-run -Werror $(git ls-files "src/*.h" "src/*.cpp" "tests/*.h" "tests/*.cpp")'
  # GCC's options that clang does not know are left out of what clang-tidy sees.
  check clang-tidy bash -c 'git ls-files "src/*.cpp" | grep -v -E "embind|app_main|host_web|imgui_impl_web" |
    xargs -P 2 -n 4 clang-tidy --quiet --extra-arg=-Wno-ambiguous-reversed-operator -p build/native'
  once npm
  check prettier tests/node_modules/.bin/prettier --check --log-level warn web tests .prettierrc tsconfig.json
  check tsc tests/node_modules/.bin/tsc -p .
}

lane_fuzz() {
  local target
  memfitNeed native clang
  (cmake --preset native -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DMEMFIT_FUZZ=ON -DMEMFIT_TESTS=OFF --log-level=WARNING && cmake --build build/fuzz)
  for target in build/fuzz/fuzz/*_fuzz; do
    mkdir -p "build/fuzz/corpus/${target##*/}"
    check "${target##*/}" "$target" -max_total_time="${MEMFIT_FUZZ_SECONDS:-60}" -print_final_stats=1 \
      "build/fuzz/corpus/${target##*/}"
  done
}

lane_bench() {
  local target
  memfitNeed native bench browser
  once site
  once npm
  (cmake --preset native -B build/bench -DMEMFIT_BENCH=ON -DMEMFIT_TESTS=OFF --log-level=WARNING &&
    cmake --build build/bench)
  for target in build/bench/bench/*_bench; do check "${target##*/}" "$target"; done
  nodeTest frames tests/browser/*_bench.js
}

lane_screenshots() {
  once site
  once npm
  memfitNeed browser
  check screenshots node tests/browser/screenshots.js "${pictures[@]}"
}

lane_toolchains() {
  local compiler
  memfitNeed native web clang node toolchains
  for compiler in "gcc g++" "clang clang++"; do
    # shellcheck disable=SC2086  # two words on purpose
    set -- $compiler
    (cmake --preset native -B "build/native-$1" -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$2" \
      -DMEMFIT_IMGUI_DIR="$(memfitImgui)" --log-level=WARNING && cmake --build "build/native-$1")
    googleTest "$1" "build/native-$1/tests/memfit_tests"
  done
  once native
  once npm
  bash tests/forky.sh
  googleTest emscripten-forky node build/forky/web-cmake/tests/memfit_tests.js
  MEMFIT_SITE=$memfitRoot/build/forky/web/ nodeTest js-forky tests/js/*_test.js
}

for word in "${words[@]}"; do
  case $word in
    build | unit | sanitize | wasm | browser | accuracy | lint | fuzz | bench | screenshots | toolchains) ;;
    *) memfitFail "unknown word '$word': build, unit, sanitize, wasm, browser, accuracy, lint, fuzz, bench, screenshots or toolchains" ;;
  esac
done
# Also where a build breaks or a package is missing: that is one failure, and ends the run.
word="" complete=no
finish() {
  if [ "$complete" = no ]; then
    failed=$((failed + 1))
    summaries+=("$word: STOPPED, see above")
  fi
  printf '\n'
  printf '%s\n' "${summaries[@]+"${summaries[@]}"}"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  if [ "$failed" != 0 ]; then exit 1; fi
}
trap finish EXIT

for word in "${words[@]}"; do
  memfitSay "== $word"
  "lane_$word"
done
complete=yes
