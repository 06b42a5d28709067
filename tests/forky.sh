#!/usr/bin/env bash
# memfit - SPDX-License-Identifier: Apache-2.0
#
# Builds the site and the wasm tests with the current Emscripten, that of Debian forky, in a folder of its
# own (debootstrap, checked by apt's signatures; about 1.3 GB). Results: build/forky/web and
# build/forky/web-cmake. Called by the toolchains lane of tests/run.sh, as root.
#
# The folder is reached by chroot. The clone is mounted in it where it lies outside, so that paths in the
# build are the same; everything mounted is unmounted again, however this ends.

source "$(dirname "${BASH_SOURCE[0]}")/../web/setup.sh"

[ "$(id -u)" = 0 ] || memfitFail "the current Emscripten is tried in a chroot, which takes root"
memfitNeed native web toolchains
imgui=$(memfitImgui)
system=$memfitCache/forky-system

if [ ! -e "$system/usr/bin/emcc" ]; then
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1)
  memfitSay "debootstrap of Debian forky with Emscripten"
  rm -rf "$system"
  debootstrap --variant=minbase --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    --include=emscripten,cmake,ninja-build,nodejs,esbuild,ca-certificates,rapidjson-dev,python3-fonttools \
    forky "$system" "$uri" /usr/share/debootstrap/scripts/sid >"$memfitCache/forky-debootstrap.log" 2>&1 ||
    memfitFail "debootstrap failed: see $memfitCache/forky-debootstrap.log"
fi

mounted=()
unmountAll() {
  local place
  for place in "${mounted[@]+"${mounted[@]}"}"; do umount "$place"; done
}
trap unmountAll EXIT
bind() {
  mkdir -p "$system$1"
  mount --bind "$1" "$system$1"
  mounted=("$system$1" "${mounted[@]+"${mounted[@]}"}")
}
mkdir -p "$system/proc" "$memfitRoot/build/forky/cache"
mount -t proc proc "$system/proc"
mounted=("$system/proc")
bind "$memfitRoot"
for place in "$imgui" /usr/src/googletest /usr/share/fonts; do
  case $place in "$memfitRoot"/*) ;; *) bind "$place" ;; esac
done

out=$memfitRoot/build/forky
# EM_CACHE: system libraries are built at the first link, and kept.
env -u NODE_EXTRA_CA_CERTS -u NODE_PATH EM_CACHE="$out/cache" chroot "$system" bash -euc "
  cd '$memfitRoot'
  emcc --version | head -n 1
  emcmake cmake --preset web -B '$out/web-cmake' -DMEMFIT_IMGUI_DIR='$imgui' -DMEMFIT_SITE_DIR='$out/web' -DMEMFIT_SMALL=OFF
  cmake --build '$out/web-cmake' --target site memfit_tests"
