# memfit - SPDX-License-Identifier: Apache-2.0
#
# What every script of the project needs to know about the machine; sourced, not run.
# The one place that lists packages: a line a tool, with how its presence is told.
#
#   memfitNeed GROUP...   installs what is missing (as root, with apt-get) and prints what it installs;
#                         elsewhere names what is missing and fails
#   memfitImgui           prints the folder of Dear ImGui's sources, fetched once
#   memfitNpmCi DIR       installs DIR's locked npm packages when they are not there yet

set -euo pipefail
memfitRoot=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# What is fetched lies beside what is built, or where MEMFIT_CACHE says, to be shared by several clones.
memfitCache=${MEMFIT_CACHE:-$memfitRoot/build}

memfitSay() { printf 'memfit: %s\n' "$*"; }
memfitFail() {
  printf 'memfit: %s\n' "$*" >&2
  exit 1
}

# group | Debian package | a command, or a file (also a pattern), that tells that it is there
memfitTools() {
  cat <<'TABLE'
native | g++ | g++
native | cmake | cmake
native | ninja-build | ninja
native | rapidjson-dev | /usr/include/rapidjson/document.h
native | googletest | /usr/src/googletest/CMakeLists.txt
web | emscripten | emcc
web | nodejs | node
web | esbuild | esbuild
web | fonttools | pyftsubset
web | fonts-inter | /usr/share/fonts/opentype/inter/Inter-Regular.otf
web | fonts-noto-cjk | /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
web | xz-utils | xz
node | nodejs | node
node | npm | npm
browser | chromium | chromium
browser | glslang-tools | glslangValidator
firefox | firefox-esr | firefox-esr
firefox | xvfb | xvfb-run
firefox | xauth | xauth
firefox | libgl1-mesa-dri | /usr/lib/*/dri/swrast_dri.so
firefox | libegl1 | /usr/lib/*/libEGL.so.1
firefox | libgl1 | /usr/lib/*/libGL.so.1
firefox | libgles2 | /usr/lib/*/libGLESv2.so.2
webkit | webkit2gtk-driver | WebKitWebDriver
webkit | xvfb | xvfb-run
webkit | xauth | xauth
clang | clang | clang++
clang | libclang-rt-14-dev | /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux
lint | clang-tidy | clang-tidy
lint | clang-format | clang-format
bench | libbenchmark-dev | /usr/include/benchmark/benchmark.h
toolchains | debootstrap | /usr/sbin/debootstrap
TABLE
}

memfitHas() {
  case $1 in
    /*) compgen -G "$1" >/dev/null ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

memfitNeed() {
  local group package probe wanted missing=()
  while IFS='|' read -r group package probe; do
    group=${group// /} package=${package// /} probe=${probe// /}
    for wanted in "$@"; do
      if [ "$group" = "$wanted" ] && ! memfitHas "$probe"; then
        case " ${missing[*]+${missing[*]}} " in *" $package "*) ;; *) missing+=("$package") ;; esac
      fi
    done
  done < <(memfitTools)
  if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && memfitHas apt-get; then
      memfitSay "installing ${missing[*]}"
      export DEBIAN_FRONTEND=noninteractive
      apt-get update -qq
      apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    else
      memfitFail "missing: ${missing[*]} (names of Debian packages). Install them, or run this as root on Debian."
    fi
  fi
  # Debian's Emscripten finds acorn only by itself when Node.js is Debian's too.
  if [ -d /usr/share/nodejs/acorn ]; then
    export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}
  fi
}

# Dear ImGui 1.92 comes from the source package of Debian forky: Debian 12 has 1.86 only.
#
# Verified by apt, all the way down: forky's InRelease file is signed by the archive keys of Debian 12
# and 13, which lie in this machine's debian-archive-keyring; it holds the digest of the Sources index,
# which holds those of the package's files. A wrong signature or digest ends the script here.
# Lists and caches are private ones, so the machine's own apt never sees forky.
memfitImgui() {
  local dir=$memfitCache/imgui work keyring=/usr/share/keyrings/debian-archive-keyring.gpg uri options
  if [ -n "${MEMFIT_IMGUI_DIR:-}" ]; then
    printf '%s\n' "$MEMFIT_IMGUI_DIR"
    return
  fi
  if [ ! -e "$dir/imgui.h" ]; then
    if ! memfitHas apt-get || [ ! -e "$keyring" ]; then
      memfitFail "Dear ImGui 1.92 or later is missing: set MEMFIT_IMGUI_DIR to a checkout of it"
    fi
    memfitSay "fetching Dear ImGui (source package of Debian forky)" >&2
    work=$memfitCache/imgui-fetch
    rm -rf "$work"
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source" "$work/unpacked"
    # The mirror is the one that this machine uses for its own packages.
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1)
    if [ -z "$uri" ]; then
      apt-get update -qq >&2
      uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1)
    fi
    if [ -z "$uri" ]; then memfitFail "apt knows no Debian mirror: set MEMFIT_IMGUI_DIR to a checkout of Dear ImGui"; fi
    printf 'Types: deb-src\nURIs: %s\nSuites: forky\nComponents: main\nSigned-By: %s\n' \
      "$uri" "$keyring" >"$work/forky.sources"
    options=(-qq -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache"
      -o "Dir::Etc::SourceList=$work/forky.sources" -o Dir::Etc::SourceParts=- -o APT::Sandbox::User=root
      # A mirror that stands still serves a signed index past its date; the signature is what counts here.
      -o Acquire::Check-Valid-Until=false)
    apt-get "${options[@]}" update >&2
    (cd "$work/source" && apt-get "${options[@]}" source --download-only imgui >&2)
    tar -xJf "$work"/source/imgui_*.orig.tar.xz -C "$work/unpacked" --strip-components=1
    rm -rf "$dir"
    mv "$work/unpacked" "$dir"
    rm -rf "$work"
  fi
  printf '%s\n' "$dir"
}

# Locked versions and digests come from package-lock.json, the registry from npm's own configuration.
memfitNpmCi() {
  if [ ! -e "$1/node_modules/.package-lock.json" ] ||
    [ "$1/package-lock.json" -nt "$1/node_modules/.package-lock.json" ]; then
    memfitSay "installing the npm packages of ${1#"$memfitRoot"/}"
    (cd "$1" && npm ci --no-audit --no-fund --loglevel=error)
  fi
}

# memfitBuildWeb TARGET...: the WebAssembly side, with the emcc on the PATH.
memfitBuildWeb() {
  local imgui
  imgui=$(memfitImgui)
  memfitSay "Emscripten $(emcc --version | sed -n '1s/.* \([0-9.]*[0-9]\)[~ -].*/\1/p'), Dear ImGui $(sed -n 's/^#define IMGUI_VERSION  *"\(.*\)"/\1/p' "$imgui/imgui.h")"
  (cd "$memfitRoot" && emcmake cmake --preset web -DMEMFIT_IMGUI_DIR="$imgui" --log-level=WARNING &&
    cmake --build --preset web --target "$@")
}

memfitBuildNative() {
  local imgui
  imgui=$(memfitImgui)
  (cd "$memfitRoot" && cmake --preset "$1" -DMEMFIT_IMGUI_DIR="$imgui" --log-level=WARNING &&
    cmake --build --preset "$1")
}
