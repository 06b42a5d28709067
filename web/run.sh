#!/usr/bin/env bash
# memfit - SPDX-License-Identifier: Apache-2.0
#
# Builds the page and serves it:  bash web/run.sh [--no-serve] [--port N]
# On a bare Debian, as root, it installs what is missing first; the site lies in build/web afterwards.
#
# While working on the panels: leave one `bash web/run.sh` running in a terminal; in another,
# `bash web/run.sh --no-serve` compiles what changed, then reload the page. The linker optimises the whole
# program for size, which takes its time; once `cmake -DMEMFIT_SMALL=OFF build/web-cmake` skips that.

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

port=8080 serve=yes
while [ $# -gt 0 ]; do
  case $1 in
    --no-serve) serve=no ;;
    --port)
      shift
      port=${1:-}
      [[ $port =~ ^[0-9]+$ ]] || memfitFail "--port takes a number"
      ;;
    *) memfitFail "unknown argument '$1': --no-serve or --port N" ;;
  esac
  shift
done

memfitNeed native web
if [ "$serve" = yes ]; then memfitNeed node; fi
memfitBuildWeb site
memfitSay "built in $memfitRoot/build/web"
if [ "$serve" = yes ]; then
  memfitNpmCi "$memfitRoot/web"
  memfitSay "http://127.0.0.1:$port"
  exec "$memfitRoot/web/node_modules/.bin/sirv" "$memfitRoot/build/web" --dev --quiet --host 127.0.0.1 --port "$port"
fi
