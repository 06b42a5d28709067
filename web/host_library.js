// memfit - SPDX-License-Identifier: Apache-2.0
//
// What C++ calls in the page (src/app/platform/host_web.h), handed on to the host object that web/host.js gives
// to the module. An Emscripten JS library: plain syntax only, for the oldest compiler's optimiser.
mergeInto(LibraryManager.library, {
  $memfitText: function (pointer) {
    return new TextDecoder().decode(HEAPU8.subarray(pointer, HEAPU8.indexOf(0, pointer)));
  },

  memfitHostAttach: function () {
    // The heap moves when memory grows, so the host asks for it each time.
    Module["host"].heap = function () {
      return HEAPU8;
    };
  },

  memfitHostCreateContext__deps: ["$GL"],
  memfitHostCreateContext: function () {
    var context = Module["host"].createContext();
    if (!context) return 0;
    var handle = GL.registerContext(context, { majorVersion: 2, minorVersion: 0 });
    return GL.makeContextCurrent(handle) ? 1 : 0;
  },

  memfitHostCursor: function (cursor) {
    Module["host"].setCursor(cursor);
  },
  memfitHostTextPlace: function (wanted, x, y, lineHeight) {
    Module["host"].placeText(!!wanted, x, y, lineHeight);
  },
  memfitHostComplain__deps: ["$memfitText"],
  memfitHostComplain: function (format, what) {
    console.error(memfitText(format).replace("%s", memfitText(what)));
  },
  memfitHostWake: function () {
    Module["host"].wake();
  },
  memfitHostContentHeight: function (height) {
    Module["host"].setContentHeight(height);
  },
  memfitHostQuery__deps: ["$memfitText"],
  memfitHostQuery: function (query) {
    Module["host"].writeQuery(memfitText(query));
  },
  memfitHostReveal: function (top, bottom) {
    Module["host"].reveal(top, bottom);
  },
  memfitHostCopy__deps: ["$memfitText"],
  memfitHostCopy: function (text) {
    Module["host"].copy(memfitText(text));
  },
  memfitHostDownload__deps: ["$memfitText"],
  memfitHostDownload: function (name, type, bytes, size) {
    Module["host"].download(memfitText(name), memfitText(type), HEAPU8.slice(bytes, bytes + size));
  },
  memfitHostSavePicture__deps: ["$memfitText"],
  memfitHostSavePicture: function (name) {
    Module["host"].savePicture(memfitText(name));
  },
  memfitHostOpenLink__deps: ["$memfitText"],
  memfitHostOpenLink: function (url) {
    Module["host"].openLink(memfitText(url));
  },
  memfitHostShowPlainView: function () {
    Module["host"].showPlainView();
  },
  memfitHostPageUrl: function (out, capacity) {
    var bytes = new TextEncoder().encode(Module["host"].pageUrl()).subarray(0, capacity - 1);
    HEAPU8.set(bytes, out);
    HEAPU8[out + bytes.length] = 0;
  },
  memfitHostPushHistory: function () {
    Module["host"].pushHistory();
  },
  memfitHostSetLanguage__deps: ["$memfitText"],
  memfitHostSetLanguage: function (language) {
    Module["host"].setLanguage(memfitText(language));
  },
  memfitHostSetDark: function (dark) {
    Module["host"].setDark(!!dark);
  },
  memfitHostPickModelFile: function () {
    Module["host"].pickModelFile();
  },
  memfitHostNeedModels: function () {
    Module["host"].loadModels();
  },
  memfitHostNeedLanguage__deps: ["$memfitText"],
  memfitHostNeedLanguage: function (language) {
    Module["host"].loadLanguage(memfitText(language));
  },
});
